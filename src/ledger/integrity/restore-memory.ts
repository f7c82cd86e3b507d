import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#base/clock.ts";
import { makeFolder } from "#ledger/store/folder.ts";
import { messageOf } from "#base/log.ts";

/** A batch as this machine remembers it outside the ledger. */
export interface RememberedBatch {
  readonly batchId: string;
  /** Keyed digests of its files, hexadecimal: the upload and each correction. */
  readonly files: readonly string[];
  /** Identifies the content of the batch. A correction changes it. */
  readonly contentDigest: string;
  readonly fileName: string;
  /** Upload time, ISO 8601. */
  readonly takenInAt: string;
  /** Number of good rows, which become payouts. */
  readonly rows: number;
  /** Sum per currency, for example `{"INR": "40000.00"}`. */
  readonly totals: Readonly<Record<string, string>>;
}

/** Record of the batches that a machine has handled. It survives a restore of the ledger. */
export interface RestoreMemory {
  /** False: written records are not stored. */
  readonly isKept: boolean;
  /**
   * Returns the time since which this machine remembers the batches of this ledger. A new memory
   * starts now. Null: it keeps no memory.
   */
  since(ledgerId: string): Promise<Date | null>;
  /** Returns the newest record of each batch, in the order of writing. */
  records(ledgerId: string): Promise<ReadonlyMap<string, RememberedBatch>>;
  /** Returns the payout digests of the record, concatenated, or null if they were deleted. */
  rowsOf(ledgerId: string, record: RememberedBatch): Promise<Buffer | null>;
  /**
   * Writes the record and its payout digests, and returns when both are on disk.
   *
   * @throws the error of the file system.
   */
  remember(ledgerId: string, record: RememberedBatch, rows: Buffer): Promise<void>;
}

/** Memory for tests, and for processes without a data folder. */
export const NO_MEMORY: RestoreMemory = {
  isKept: false,
  since: async () => null,
  records: async () => new Map(),
  rowsOf: async () => null,
  remember: async () => {},
};

const DAY_MS = 86_400_000;
/** A record takes about 400 bytes. */
const RECORDS_KEPT_DAYS = 400;
/** A million payouts take 8 MB. */
const ROWS_KEPT_DAYS = 100;
const ROWS_KEPT_BYTES = 2 * 1024 ** 3;
const PRUNE_EVERY_MS = DAY_MS;

/**
 * Stores the memory in files: one folder per ledger, a text file of records per month, a binary
 * file of payout digests per batch. Several processes may use the folder simultaneously: each
 * record is appended in one write, and files of digests are renamed into place.
 */
export function createRestoreMemory(
  folder: string,
  { nowMs: now }: Pick<Clock, "nowMs">,
): RestoreMemory {
  const folderOf = (ledgerId: string) => join(folder, `restore-memory-${ledgerId}`);
  const months = new Map<string, { size: number; records: readonly RememberedBatch[] }>();
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function monthOf(path: string): Promise<readonly RememberedBatch[]> {
    const { size } = await stat(path);
    const known = months.get(path);
    if (known?.size === size) return known.records;
    const records = recordsIn(await readFile(path, "utf8"));
    months.set(path, { size, records });
    return records;
  }

  return {
    isKept: true,
    since: (ledgerId) => beginMemory(folder, folderOf(ledgerId), now()),
    async records(ledgerId) {
      const own = folderOf(ledgerId);
      const names = await readdir(own).catch(emptyIfMissing);
      const found = new Map<string, RememberedBatch>();
      for (const name of names.filter((each) => each.endsWith(RECORDS_EXTENSION)).toSorted()) {
        for (const record of await monthOf(join(own, name))) found.set(record.batchId, record);
      }
      return found;
    },
    async rowsOf(ledgerId, record) {
      try {
        return await readFile(join(folderOf(ledgerId), rowsName(record)));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return null;
        throw error;
      }
    },
    async remember(ledgerId, record, rows) {
      const own = folderOf(ledgerId);
      await beginMemory(folder, own, now());
      // Write the digests first, because a record promises that they exist.
      await writeWhole(own, rowsName(record), rows);
      await append(own, monthName(now()), record);
      if (now() - prunedAt < PRUNE_EVERY_MS) return;
      prunedAt = now();
      await prune(own, prunedAt).catch(() => {});
    },
  };
}

/** Creates the folder of a memory unless it exists, and returns the time of its creation. */
async function beginMemory(folder: string, own: string, nowMs: number): Promise<Date> {
  const file = join(own, "since");
  try {
    return new Date((await readFile(file, "utf8")).trim());
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  await makeFolder(folder);
  await mkdir(own, { recursive: true, mode: 0o700 });
  // If several processes start simultaneously, the first time counts.
  await writeOnce(own, "since", `${new Date(nowMs).toISOString()}\n`);
  await syncFolder(folder);
  return new Date((await readFile(file, "utf8")).trim());
}

/** Deletes old records and drafts, and the digests that are too old or need too much space. */
async function prune(own: string, nowMs: number): Promise<void> {
  const oldest = monthName(nowMs - RECORDS_KEPT_DAYS * DAY_MS);
  const names = await readdir(own);
  for (const name of names) {
    if (name.endsWith(RECORDS_EXTENSION) && name < oldest)
      await rm(join(own, name), { force: true });
    // Left by a process that was killed while writing.
    if (/\.\d+\.\d+$/.test(name)) await removeOlder(join(own, name), nowMs - DAY_MS);
  }
  const rows = await Promise.all(
    names
      .filter((name) => name.endsWith(ROWS_EXTENSION))
      .map(async (name) => ({ name, about: await stat(join(own, name)).catch(() => null) })),
  );
  let bytes = 0;
  const newestFirst = rows.toSorted((a, b) => (b.about?.mtimeMs ?? 0) - (a.about?.mtimeMs ?? 0));
  for (const { name, about } of newestFirst) {
    if (!about) continue;
    bytes += about.size;
    const isOld = nowMs - about.mtimeMs > ROWS_KEPT_DAYS * DAY_MS;
    if (isOld || bytes > ROWS_KEPT_BYTES) await rm(join(own, name), { force: true });
  }
}

const RECORDS_EXTENSION = ".jsonl";
const ROWS_EXTENSION = ".rows";

const monthName = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 7)}${RECORDS_EXTENSION}`;
const rowsName = ({ batchId, contentDigest }: RememberedBatch): string =>
  `${batchId}-${contentDigest.slice(0, 16)}${ROWS_EXTENSION}`;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

async function removeOlder(path: string, beforeMs: number): Promise<void> {
  const about = await stat(path).catch(() => null);
  if (about && about.mtimeMs < beforeMs) await rm(path, { force: true });
}

const emptyIfMissing = (error: unknown): string[] => {
  if (codeOf(error) === "ENOENT") return [];
  throw error;
};

/** Parses records, one per line. A line that was cut off by a crash is skipped. */
function recordsIn(text: string): RememberedBatch[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      return [JSON.parse(line) as RememberedBatch];
    } catch {
      return [];
    }
  });
}

/**
 * Appends a record in one write. The leading line feed terminates a line that was cut off by a
 * crash.
 */
async function append(folder: string, name: string, record: RememberedBatch): Promise<void> {
  const file = await open(join(folder, name), "a", 0o600);
  try {
    await file.writeFile(`\n${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
}

/** Writes a complete file to disk and renames it into place. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  const draft = join(folder, `${name}.${process.pid}.${counter++}`);
  try {
    await writeFile(draft, bytes, { mode: 0o600, flush: true });
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

/** Writes a file to disk and puts it in place, unless it exists. */
async function writeOnce(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.${process.pid}.${counter++}`);
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await link(draft, join(folder, name));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
  await syncFolder(folder);
}

let counter = 0;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Returns the same memory, which reports once that it cannot be written, until it can be written
 * again.
 */
export function reportingMemory(
  memory: RestoreMemory,
  tell: (words: string) => void,
): RestoreMemory {
  let isTold = false;
  return {
    ...memory,
    async remember(ledgerId, record, rows) {
      try {
        await memory.remember(ledgerId, record, rows);
        isTold = false;
      } catch (error) {
        if (!isTold) tell(messageOf(error));
        isTold = true;
        throw error;
      }
    },
  };
}
