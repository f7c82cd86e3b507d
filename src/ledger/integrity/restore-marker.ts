import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "#base/clock.ts";
import { makeFolder } from "#ledger/store/folder.ts";
import { messageOf } from "#base/log.ts";

/**
 * Restore marker: the latest position and attempt of the ledger, recorded outside the database. A
 * ledger that lacks them is an older copy.
 */
export interface RestoreMarker {
  readonly ledgerId: string;
  readonly epoch: number;
  /** Position up to which PostgreSQL's write-ahead log was on disk. */
  readonly wal: string;
  /** The last attempt that this process recorded. */
  readonly attempt: AttemptKey | null;
}

export interface AttemptKey {
  readonly payoutId: number;
  readonly number: number;
}

/** Storage in which a restore marker outlives its process. */
export interface RestoreMarkerStore {
  read(ledgerId: string): Promise<RestoreMarker | null>;
  write(witness: RestoreMarker): Promise<void>;
}

/** Store for tests, and for processes without a data folder. */
export const NO_MARKER_STORE: RestoreMarkerStore = {
  read: async () => null,
  write: async () => {},
};

/**
 * Returns a store that keeps the restore marker in a small file in the data folder. If the file is
 * missing, old or damaged, a restore is harder to detect, but no other harm is done. It is
 * therefore neither synchronised nor locked: of several processes the last write wins.
 */
export function createMarkerStore(folder: string): RestoreMarkerStore {
  let isTidy = false;
  const fileOf = (ledgerId: string) => join(folder, `restore-marker-${ledgerId}.json`);
  /** The name that earlier versions gave the file. */
  const earlierFileOf = (ledgerId: string) => join(folder, `witness-${ledgerId}.json`);
  return {
    async read(ledgerId) {
      return (await readMarker(fileOf(ledgerId))) ?? (await readMarker(earlierFileOf(ledgerId)));
    },
    async write(witness) {
      if (!isTidy) await removeDrafts(folder).catch(() => {});
      await replaceFile(folder, fileOf(witness.ledgerId), `${JSON.stringify(witness)}\n`);
      if (!isTidy) await rm(earlierFileOf(witness.ledgerId), { force: true }).catch(() => {});
      isTidy = true;
    },
  };
}

async function readMarker(file: string): Promise<RestoreMarker | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as RestoreMarker;
  } catch {
    return null;
  }
}

/**
 * Checks that a restore marker can be written into the folder.
 *
 * @throws the obstacle.
 */
export async function checkMarkerWritable(folder: string): Promise<void> {
  const file = join(folder, "restore-marker-try");
  await replaceFile(folder, file, "a file that payrun doctor has tried out\n");
  await rm(file, { force: true });
}

const DRAFT = /^(?:restore-marker|witness|audit-verified)-.*\.json\.(\d+)(?:\.\d+)?$/;
/**
 * Minimum age of an abandoned draft in milliseconds. A draft is renamed within milliseconds, so an
 * older one is abandoned, even if it belongs to another machine, whose processes are unknown here.
 */
const DRAFT_MS = 60_000;

/** Removes drafts of processes that were killed before renaming them. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(DRAFT.exec(name)?.[1] ?? 0);
    if (pid === 0 || pid === process.pid) continue;
    const path = join(folder, name);
    if (systemClock.nowMs() - (await stat(path)).mtimeMs > DRAFT_MS)
      await rm(path, { force: true });
  }
}

let drafts = 0;

/**
 * Replaces a small file with a text, completely or not at all. Two calls at once each have a draft
 * of their own.
 */
export async function replaceFile(folder: string, file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${drafts++}`;
  await makeFolder(folder);
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    // On a full disk an empty draft would remain.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Returns the same store, which reports once that it cannot be written, until it can be written
 * again.
 */
export function reportingMarkerStore(
  store: RestoreMarkerStore,
  tell: (words: string) => void,
): RestoreMarkerStore {
  let isTold = false;
  return {
    ...store,
    async write(witness) {
      try {
        await store.write(witness);
        isTold = false;
      } catch (error) {
        if (!isTold) tell(messageOf(error));
        isTold = true;
        throw error;
      }
    },
  };
}
