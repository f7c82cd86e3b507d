#!/usr/bin/env node
/**
 * Verifies an evidence pack without payrun: node verify-pack.mjs PACK KEY [LINE:ROOT]
 *
 * KEY is the installation's public key, LINE:ROOT a published root of its audit log. Both must come
 * from another source than the pack. The program needs Node 22 or later and nothing else.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, inflateRawSync } from "node:zlib";

const LISTED = ["payouts.jsonl", "payouts.csv", "audit.jsonl", "summary.json", "page.html"];
const NAMES = [...LISTED, "manifest.json", "manifest.sig"];
const STORED = NAMES.slice(-2);

class Forged extends Error {}
const check = (holds, text) => {
  if (!holds) throw new Forged(text);
};
const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (...parts) => sha256(...parts).toString("hex");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Little-endian numbers: u(4, x, 2, y) writes x in four bytes and y in two. */
const u = (...fields) => {
  const bytes = [];
  for (let at = 0; at < fields.length; at += 2) {
    const buffer = Buffer.alloc(fields[at]);
    buffer.writeUIntLE(fields[at + 1], 0, fields[at]);
    bytes.push(buffer);
  }
  return Buffer.concat(bytes);
};

/**
 * Reads the archive: builds the only archive that can have these contents, and compares each byte.
 */
function readArchive(zip) {
  check(zip.length > 22, "not a ZIP archive");
  const start = zip.readUInt32LE(zip.length - 6);
  check(start < zip.length - 22, "truncated");
  const files = new Map();
  const [expected, central] = [[], []];
  let [at, offset] = [start, 0];
  for (const name of NAMES) {
    const isStored = STORED.includes(name);
    check(at + 46 <= zip.length, "truncated");
    const [crc, packed, size] = [16, 20, 24].map((place) => zip.readUInt32LE(at + place));
    const common = isStored ? u(2, 20, 2, 0, 2, 0, 2, 0, 2, 33) : u(2, 20, 2, 8, 2, 8, 2, 0, 2, 33);
    const sums = u(4, crc, 4, packed, 4, size);
    const before = Buffer.concat([
      u(4, 0x04034b50),
      common,
      isStored ? sums : Buffer.alloc(12),
      u(2, name.length, 2, 0),
      Buffer.from(name),
    ]);
    const data = zip.subarray(offset + before.length, offset + before.length + packed);
    const after = isStored ? [] : [u(4, 0x08074b50), sums];
    const places = u(2, name.length, 2, 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, offset);
    central.push(u(4, 0x02014b50, 2, 20), common, sums, places, Buffer.from(name));
    expected.push(before, data, ...after);
    const content = isStored ? data : inflateRawSync(data, { maxOutputLength: size + 1 });
    check(content.length === size && crc32(content) === crc, `${name} was changed`);
    files.set(name, { content, offset });
    offset += before.length + data.length + Buffer.concat(after).length;
    at += 46 + name.length;
  }
  const directory = Buffer.concat(central);
  const count = NAMES.length;
  const end = u(4, 0x06054b50, 2, 0, 2, 0, 2, count, 2, count, 4, directory.length, 4, offset, 2, 0);
  check(Buffer.concat([...expected, directory, end]).equals(zip), "the archive is not canonical");
  return files;
}

const linesOf = (content) => {
  const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    .decode(content)
    .split("\n");
  check(lines.pop() === "", "a file does not end with a line feed");
  return lines;
};

const plain = (text) => {
  const [, whole, fraction = ""] = /^\s*0*(\d+)(?:\.(\d+))?\s*$/.exec(String(text)) ?? [];
  return whole === undefined ? null : `${whole}.${fraction.replace(/0+$/, "")}`;
};

/** Derives from the status answers what they prove about the money. */
function outcomeOf({ state, evidence, transaction_code, currency, amount }) {
  const proof = { settled: ["completed"], returned: ["failed", "reversed"] };
  if (!Object.hasOwn(proof, state)) return [state, null];
  const last = evidence.findLast(({ kind, facts }) => kind === "status" && facts.answer === "found");
  const says = last?.facts;
  const isSame =
    says?.transactionCode === transaction_code &&
    String(says.currency).toUpperCase() === currency &&
    plain(says.amount) === plain(amount);
  if (isSame && proof[state].includes(says.state)) return [state, last.at];
  const isReported = state === "settled" && proof.returned.includes(says?.state);
  return [isReported ? "return_reported" : "unproven", null];
}

/** Adds up amounts as whole numbers, by lane and outcome. */
function totalsOf(payouts) {
  const sums = new Map();
  for (const { lane, currency, outcome, amount, payouts: count = 1 } of payouts) {
    const key = JSON.stringify([lane, currency, outcome]);
    const digits = amount.split(".")[1]?.length ?? 0;
    const sum = sums.get(key) ?? { count: 0, minor: 0n, digits };
    check(sum.digits === digits, "amounts of one currency have different decimals");
    sums.set(key, { digits, count: sum.count + count, minor: sum.minor + BigInt(amount.replace(".", "")) });
  }
  return [...sums.keys()]
    .sort((one, other) => (one < other ? -1 : 1))
    .map((key) => {
      const [lane, currency, outcome] = JSON.parse(key);
      const { count, minor, digits } = sums.get(key);
      const text = String(minor).padStart(digits + 1, "0");
      const amount = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
      return { lane, currency, outcome, payouts: count, amount };
    });
}

function checkFigures(files, { subject }) {
  const payouts = linesOf(files.get("payouts.jsonl").content).map((line) => JSON.parse(line));
  const csv = ["transaction_code,line,currency,amount,outcome,fee,gateway_number,proven_at"];
  for (const payout of payouts) {
    const { transaction_code: code, batch_id, line, currency, amount, outcome, transitions } = payout;
    check(subject.id === (subject.kind === "payout" ? code : batch_id), `${code} is of another pack`);
    check(same(outcomeOf(payout), [outcome, payout.proven_at]), `${code}: ${outcome} is not proven`);
    let state = "awaiting_approval";
    for (const [place, { seq, from, to }] of transitions.entries()) {
      check(seq === place + 1 && from === state, `${code}: a transition is missing`);
      state = to;
    }
    check(state === payout.state, `${code}: the transitions lead to another state`);
    const cells = [code.replace(/^-/, "'-"), line, currency, amount, outcome];
    csv.push([...cells, payout.fee, payout.gateway_number, payout.proven_at].join(","));
  }
  check(subject.kind === "batch" || payouts.length === 1, "not exactly one payout");
  check(files.get("payouts.csv").content.equals(Buffer.from(`${csv.join("\n")}\n`)), "the CSV differs");
  const summary = JSON.parse(files.get("summary.json").content);
  const totals = totalsOf(payouts);
  check(same(summary.totals, totals), "the totals differ from the sums");
  const byLane = totalsOf(totals.map((total) => ({ ...total, outcome: "" })));
  const lanes = byLane.map(({ outcome: _, ...total }) => total);
  check(same(summary.lanes, subject.kind === "batch" ? lanes : null), "the batch total differs");
  return totals;
}

/** Recomputes the root of the Merkle tree (RFC 6962) from the shown lines and the subtrees between. */
function checkLog(files, { line: last, root, checkpoint }) {
  const node = (left, right) => sha256(Buffer.of(1), left, right);
  const stack = [];
  const rootNow = () => stack.map(([, digest]) => digest).reduceRight((r, l) => node(l, r)).toString("hex");
  let [lines, entries, isLinked] = [0, 0, checkpoint === null];
  for (const text of linesOf(files.get("audit.jsonl").content)) {
    const item = JSON.parse(text);
    const { line, from = line, to = line, at, actor, action, object, key } = item;
    let size = to - from + 1;
    const isNext = from === lines + 1 && Number.isInteger(Math.log2(size)) && lines % size === 0;
    check(isNext, `line ${lines + 1} of the audit log is missing`);
    const facts = item.hash === undefined ? item.facts_digest : hex(item.hash, item.facts);
    let digest = line
      ? sha256(Buffer.of(0), JSON.stringify([line, at, actor, action, object, key, facts]))
      : Buffer.from(item.digest, "hex");
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

/** Verifies the bytes of a pack. Throws if they are not exactly what the holder of the key wrote. */
export function verifyPack(zip, key, checkpoint) {
  const files = readArchive(zip);
  const { content: signed, offset } = files.get("manifest.json");
  const signature = files.get("manifest.sig").content.toString("latin1");
  const manifest = JSON.parse(signed);
  check(manifest.format === "payrun evidence pack 1", "unknown format");
  check(manifest.key === key, `signed with another key: ${manifest.key}`);
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(key, "hex")]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  const isSigned = /^[0-9a-f]{128}\n$/.test(signature) &&
    verify(null, signed, publicKey, Buffer.from(signature.slice(0, 128), "hex"));
  check(isSigned, "the signature is not valid");
  const archive = { size: offset, sha256: hex(zip.subarray(0, offset)) };
  check(same(manifest.archive, archive), "the archive was changed");
  const listed = LISTED.map((name) => {
    const { content } = files.get(name);
    return { name, size: content.length, sha256: hex(content) };
  });
  check(same(manifest.files, listed), "a file was changed");
  const totals = checkFigures(files, manifest);
  const entries = checkLog(files, manifest.log);
  const { line, root, checkpoint: linked } = manifest.log;
  const roots = [`${line}:${root}`, linked && `${linked.line}:${linked.root}`];
  check(checkpoint === undefined || roots.includes(checkpoint), "not linked to this checkpoint");
  return { created_at: manifest.created_at, subject: manifest.subject, totals, entries, root: roots[0] };
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
