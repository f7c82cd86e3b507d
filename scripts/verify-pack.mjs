#!/usr/bin/env node
/**
 * Verifies an evidence pack without payrun: node verify-pack.mjs PACK KEY [LINE:ROOT]
 *
 * KEY is the installation's public key, LINE:ROOT a published root of its audit log. Both must come
 * from another source than the pack. The program needs only Node 22 or later.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, inflateRawSync } from "node:zlib";

const LISTED = ["payouts.jsonl", "payouts.csv", "audit.jsonl", "summary.json", "page.html"];
const STORED = ["manifest.json", "manifest.sig"];
const NAMES = [...LISTED, ...STORED];
const PROOF = { settled: ["completed"], returned: ["failed", "reversed"] };
const CSV = "transaction_code,line,currency,amount,outcome,fee,gateway_number,proven_at";

const check = (holds, text) => {
  if (!holds) throw new Error(text);
};
const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (...parts) => sha256(...parts).toString("hex");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Writes little-endian numbers: u("24", x, y) writes x in two bytes and y in four. */
const u = (sizes, ...numbers) =>
  Buffer.concat(
    [...sizes].map((size, place) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(numbers[place]);
      return bytes.subarray(0, Number(size));
    }),
  );

/** Builds the only archive that can have these contents, and compares every byte with it. */
function readArchive(zip) {
  check(zip.length > 22, "not a ZIP archive");
  const [files, local, central] = [new Map(), [], []];
  let [at, offset] = [zip.readUInt32LE(zip.length - 6), 0];
  for (const name of NAMES) {
    check(at + 46 <= zip.length, "the archive is truncated");
    const [crc, packed, size] = [16, 20, 24].map((place) => zip.readUInt32LE(at + place));
    const isStored = STORED.includes(name);
    const common = u("22222", 20, isStored ? 0 : 8, isStored ? 0 : 8, 0, 33);
    const sums = u("444", crc, packed, size);
    const before = [u("4", 0x04034b50), common, isStored ? sums : Buffer.alloc(12)];
    const header = Buffer.concat([...before, u("22", name.length, 0), Buffer.from(name)]);
    const data = zip.subarray(offset + header.length, offset + header.length + packed);
    const open = () => {
      const content = isStored ? data : inflateRawSync(data, { maxOutputLength: size + 1 });
      check(content.length === size && crc32(content) === crc, `${name} was changed`);
      return content;
    };
    files.set(name, { open, offset });
    local.push(header, data, ...(isStored ? [] : [u("4", 0x08074b50), sums]));
    const place = u("2222244", name.length, 0, 0, 0, 0, 0, offset);
    central.push(u("42", 0x02014b50, 20), common, sums, place, Buffer.from(name));
    offset += header.length + data.length + (isStored ? 0 : 16);
    at += 46 + name.length;
  }
  const bytes = Buffer.concat(central).length;
  const end = u("42222442", 0x06054b50, 0, 0, NAMES.length, NAMES.length, bytes, offset, 0);
  check(Buffer.concat([...local, ...central, end]).equals(zip), "not as payrun writes an archive");
  return files;
}

function linesOf(content) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines = decoder.decode(content).split("\n");
  check(lines.pop() === "", "a file does not end with a line feed");
  return lines;
}

/** Writes a decimal without needless zeros. */
const plain = (text) => {
  const [, whole, fraction = ""] = /^\s*0*(\d+)(?:\.(\d+))?\s*$/.exec(String(text)) ?? [];
  return whole === undefined ? null : `${whole}.${fraction.replace(/0+$/, "")}`;
};

/** Derives from the last status answer what is proven about the money. */
function outcomeOf({ state, evidence, transaction_code, currency, amount }) {
  if (!Object.hasOwn(PROOF, state)) return [state, null];
  const last = evidence.findLast((each) => each.kind === "status" && each.facts.answer === "found");
  const says = last?.facts;
  const isSame =
    says?.transactionCode === transaction_code &&
    String(says.currency).toUpperCase() === currency &&
    plain(says.amount) === plain(amount);
  if (isSame && PROOF[state].includes(says.state)) return [state, last.at];
  const isReported = state === "settled" && PROOF.returned.includes(says?.state);
  return [isReported ? "return_reported" : "unproven", null];
}

/** Adds up amounts as whole numbers, by lane and outcome. */
function totalsOf(payouts) {
  const sums = new Map();
  for (const { lane, currency, outcome, amount, payouts: more = 1 } of payouts) {
    const key = JSON.stringify([lane, currency, outcome]);
    const [, { length: digits } = ""] = amount.split(".");
    const { count, minor, digits: before } = sums.get(key) ?? { count: 0, minor: 0n, digits };
    check(before === digits, "amounts of one currency have different decimals");
    sums.set(key, { count: count + more, minor: minor + BigInt(amount.replace(".", "")), digits });
  }
  return [...sums.keys()].toSorted((a, b) => (a < b ? -1 : 1)).map((key) => {
    const [lane, currency, outcome] = JSON.parse(key);
    const { count, minor, digits } = sums.get(key);
    const text = String(minor).padStart(digits + 1, "0");
    const amount = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
    return { lane, currency, outcome, payouts: count, amount };
  });
}

function checkFigures(files, { kind, id }) {
  const payouts = linesOf(files.get("payouts.jsonl")).map((line) => JSON.parse(line));
  const csv = payouts.map((payout) => {
    const { transaction_code: code, outcome, proven_at, transitions } = payout;
    check(id === (kind === "payout" ? code : payout.batch_id), `${code} is of another pack`);
    check(same(outcomeOf(payout), [outcome, proven_at]), `${code}: ${outcome} is not proven`);
    const state = transitions.reduce((before, { seq, from, to }, place) => {
      check(seq === place + 1 && from === before, `${code}: a transition is missing`);
      return to;
    }, "awaiting_approval");
    check(state === payout.state, `${code}: the transitions lead to another state`);
    const { line, currency, amount, fee, gateway_number } = payout;
    const cells = [line, currency, amount, outcome, fee, gateway_number, proven_at];
    return [code.replace(/^-/, "'-"), ...cells].join(",");
  });
  check(same(linesOf(files.get("payouts.csv")), [CSV, ...csv]), "the CSV file differs");
  check(kind === "batch" || payouts.length === 1, "the pack does not have one payout");
  const summary = JSON.parse(files.get("summary.json"));
  const totals = totalsOf(payouts);
  check(same(summary.totals, totals), "the totals differ from the sums");
  const lanes = totalsOf(totals.map((total) => ({ ...total, outcome: "" })));
  const approved = kind === "batch" ? lanes.map((total) => ({ ...total, outcome: undefined })) : null;
  check(same(summary.lanes, approved), "the approved total differs");
  return totals;
}

/** Recomputes the root of the Merkle tree (RFC 6962) from entries and the subtrees between. */
function checkLog(files, { line: last, root, checkpoint }) {
  const node = (left, right) => sha256(Buffer.of(1), left, right);
  const stack = [];
  const rootNow = () =>
    stack.reduceRight((right, [, left]) => right ? node(left, right) : left, null).toString("hex");
  let [lines, entries, isLinked] = [0, 0, checkpoint === null];
  for (const text of linesOf(files.get("audit.jsonl"))) {
    const { line, at, actor, action, object, key, ...rest } = JSON.parse(text);
    const { from = line, to = line } = rest;
    let size = to - from + 1;
    const isNext = from === lines + 1 && Number.isInteger(Math.log2(size)) && lines % size === 0;
    check(isNext, `line ${lines + 1} of the audit log is missing`);
    const facts = rest.hash === undefined ? rest.facts_digest : hex(rest.hash, rest.facts);
    const leaf = JSON.stringify([line, at, actor, action, object, key, facts]);
    let digest = line ? sha256(Buffer.of(0), leaf) : Buffer.from(rest.digest, "hex");
    for (; stack.at(-1)?.[0] === size; size *= 2) digest = node(stack.pop()[1], digest);
    stack.push([size, digest]);
    lines = to;
    if (line) entries += 1;
    if (lines === checkpoint?.line) isLinked = rootNow() === checkpoint.root;
  }
  check(lines === last && rootNow() === root, "the audit entries do not lead to the root");
  check(isLinked, "the audit entries do not lead to the checkpoint");
  return entries;
}

/** Verifies the bytes of a pack. Throws if they are not exactly what the key's holder wrote. */
export function verifyPack(zip, key, checkpoint) {
  const packed = readArchive(zip);
  const { open, offset } = packed.get("manifest.json");
  const { created_at, format, subject, log, ...manifest } = JSON.parse(open());
  check(format === "payrun evidence pack 1", "unknown format");
  check(manifest.key === key, `signed with another key: ${manifest.key}`);
  const der = Buffer.from(`302a300506032b6570032100${key}`, "hex");
  const signature = packed.get("manifest.sig").open().toString("latin1");
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  const isSigned = verify(null, open(), publicKey, Buffer.from(signature.slice(0, 128), "hex"));
  check(/^[0-9a-f]{128}\n$/.test(signature) && isSigned, "the signature is not valid");
  const archive = { size: offset, sha256: hex(zip.subarray(0, offset)) };
  check(same(manifest.archive, archive), "the archive was changed");
  // Only the holder of the key has written what is decompressed now.
  const files = new Map(LISTED.map((name) => [name, packed.get(name).open()]));
  const sums = ([name, content]) => ({ name, size: content.length, sha256: hex(content) });
  check(same(manifest.files, [...files].map(sums)), "a file was changed");
  const [totals, entries] = [checkFigures(files, subject), checkLog(files, log)];
  const roots = [log, log.checkpoint].map((each) => each && `${each.line}:${each.root}`);
  check(checkpoint === undefined || roots.includes(checkpoint), "not linked to this checkpoint");
  return { created_at, subject, totals, entries, root: roots[0] };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [path, key, checkpoint] = process.argv.slice(2);
  try {
    console.log(JSON.stringify(verifyPack(readFileSync(path), key, checkpoint), null, 2));
  } catch (error) {
    console.error(`The pack is NOT valid: ${error.message}`);
    process.exitCode = 1;
  }
}
