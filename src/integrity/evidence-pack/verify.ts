import { createHash, createPublicKey, verify } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { ArchiveEntry, ListedFile } from "#integrity/evidence-pack/archive.ts";
import {
  check,
  content,
  digestOfStart,
  linesOf,
  PackError,
  readArchive,
  storedContent,
} from "#integrity/evidence-pack/archive-reader.ts";
import { checkLog } from "#integrity/evidence-pack/log-items.ts";
import {
  type LogRoot,
  type Manifest,
  MANIFEST,
  manifestText,
  PACK_FILES,
  PACK_FORMAT,
  SIGNATURE,
} from "#integrity/evidence-pack/manifest.ts";
import {
  CSV_HEADER,
  csvLine,
  isCourseComplete,
  outcomeOf,
  type PackPayout,
  type PackSummary,
  type PackTotal,
  PackTotals,
} from "#integrity/evidence-pack/records.ts";

/** The content of a pack that was verified. */
export interface VerifiedPack {
  readonly manifest: Manifest;
  readonly totals: readonly PackTotal[];
  /** Number of audit entries that the pack shows. */
  readonly entries: number;
}

/** Facts that the reader has from another source: the public key, and a published log root. */
export interface Trusted {
  readonly key: string;
  readonly checkpoint?: LogRoot | undefined;
}

/**
 * Verifies an evidence pack without the ledger: every byte of the archive, the signature, the
 * figures, the proofs of settlement and the tree of the audit log.
 *
 * @throws PackError if the pack is not exactly as the installation with this key wrote it.
 */
export async function verifyPack(path: string, trusted: Trusted): Promise<VerifiedPack> {
  const file = await open(path);
  try {
    return await verifyFile(file, trusted);
  } catch (error) {
    if (error instanceof PackError || isSystemError(error)) throw error;
    // Damaged JSON, compressed data or characters, or a field that is missing.
    throw new PackError(error instanceof Error ? error.message : String(error));
  } finally {
    await file.close();
  }
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall !== undefined;

async function verifyFile(file: FileHandle, trusted: Trusted): Promise<VerifiedPack> {
  const entries = await readArchive(file);
  const entryOf = (name: string): ArchiveEntry => {
    const entry = entries.get(name);
    check(entry !== undefined, `${name} is missing`);
    return entry;
  };
  const text = await storedContent(file, entryOf(MANIFEST));
  const signature = (await storedContent(file, entryOf(SIGNATURE))).toString("latin1");
  const manifest = JSON.parse(text.toString()) as Manifest;
  check(manifest.format === PACK_FORMAT, "this version of payrun does not know its format");
  check(manifest.key === trusted.key, `it is signed with another key: ${manifest.key}`);
  check(isSigned(text, signature, trusted.key), "the signature is not valid");
  check(manifestText(manifest) === text.toString(), "the manifest is not written as payrun does");
  const { size, sha256 } = manifest.archive;
  const isSame = size === entryOf(MANIFEST).offset && sha256 === (await digestOfStart(file, size));
  check(isSame, "the archive was changed after it was signed");
  const names = manifest.files.map(({ name }) => name);
  check(names.join() === PACK_FILES.join(), "the manifest lists other files");
  const listed = new Map(manifest.files.map((each) => [each.name, each]));
  const read = (name: (typeof PACK_FILES)[number]) =>
    content(file, entryOf(name), listed.get(name) as ListedFile);

  const { totals, csv } = await checkPayouts(linesOf(read("payouts.jsonl")), manifest);
  for await (const _ of read("payouts.csv"));
  check(csv === listed.get("payouts.csv")?.sha256, "payouts.csv and payouts.jsonl differ");
  for await (const _ of read("page.html"));
  checkSummary(JSON.parse(await textOf(read("summary.json"))) as PackSummary, totals, manifest);
  const shown = await checkLog(linesOf(read("audit.jsonl")), manifest.log);
  checkCheckpoint(manifest.log, trusted.checkpoint);
  return { manifest, totals, entries: shown };
}

const PUBLIC_KEY_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Returns whether this is the Ed25519 signature of the text, in hexadecimal with a line feed. */
export function isSigned(text: Buffer, signature: string, key: string): boolean {
  if (!/^[0-9a-f]{128}\n$/.test(signature)) return false;
  const der = Buffer.concat([PUBLIC_KEY_PREFIX, Buffer.from(key, "hex")]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, text, publicKey, Buffer.from(signature.trim(), "hex"));
}

async function checkPayouts(lines: AsyncIterable<string>, { subject }: Manifest) {
  const totals = new PackTotals();
  const csv = createHash("sha256").update(CSV_HEADER);
  let count = 0;
  for await (const line of lines) {
    const payout = JSON.parse(line) as PackPayout;
    const { transaction_code: code, batch_id: batchId } = payout;
    const isOwn = subject.id === (subject.kind === "payout" ? code : batchId);
    check(isOwn, `payout ${code} does not belong to the pack`);
    const { outcome, proven_at: at } = outcomeOf(payout);
    const isProven = outcome === payout.outcome && at === payout.proven_at;
    check(isProven, `no status answer proves that payout ${code} is ${payout.outcome}`);
    check(isCourseComplete(payout), `the transitions of payout ${code} do not lead to its state`);
    totals.add(payout);
    csv.update(csvLine(payout));
    count += 1;
  }
  check(subject.kind === "batch" || count === 1, "the pack must contain one payout");
  return { totals: totals.list(), csv: csv.digest("hex") };
}

function checkSummary(
  { totals: written, lanes }: PackSummary,
  totals: readonly PackTotal[],
  { subject }: Manifest,
): void {
  check(isEqual(written, totals), "the totals differ from the sums of the payouts");
  check((lanes !== null) === (subject.kind === "batch"), "the summary is about something else");
  if (lanes === null) return;
  const sums = new PackTotals();
  for (const { payouts, ...total } of totals) sums.add({ ...total, outcome: "" }, payouts);
  const found = sums.listByLane();
  check(isEqual(lanes, found), "the payouts do not add up to the total of the batch");
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function checkCheckpoint(log: Manifest["log"], expected: LogRoot | undefined): void {
  if (!expected) return;
  const isLinked = [log, log.checkpoint].some(
    (each) => each?.line === expected.line && each.root === expected.root,
  );
  check(isLinked, "the pack is not linked to this checkpoint: create it with the checkpoint");
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}
