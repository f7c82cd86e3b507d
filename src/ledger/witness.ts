import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "#clock.ts";
import { makeFolder } from "#ledger/folder.ts";
import { wordsOf } from "#log.ts";

/** What a process knows of the ledger outside of it: a ledger that knows less is an older copy. */
export interface Witness {
  readonly ledgerId: string;
  readonly epoch: number;
  /** How far PostgreSQL's log was on disk. */
  readonly wal: string;
  /** The last attempt that this process has put on record. */
  readonly attempt: AttemptKey | null;
}

export interface AttemptKey {
  readonly payoutId: number;
  readonly number: number;
}

/** Where a witness outlives its process. */
export interface WitnessStore {
  read(ledgerId: string): Promise<Witness | null>;
  write(witness: Witness): Promise<void>;
}

/** For tests, and for ledgers whose process has no folder. */
export const NO_STORE: WitnessStore = { read: async () => null, write: async () => {} };

/**
 * A small file in the data folder. One that is missing, old or damaged makes a restore harder to notice and does no
 * other harm, so it is neither synchronised nor fought for: of several processes the last one wins.
 */
export function witnessIn(folder: string): WitnessStore {
  let isTidy = false;
  const fileOf = (ledgerId: string) => join(folder, `witness-${ledgerId}.json`);
  return {
    async read(ledgerId) {
      try {
        return JSON.parse(await readFile(fileOf(ledgerId), "utf8")) as Witness;
      } catch {
        return null;
      }
    },
    async write(witness) {
      if (!isTidy) await removeDrafts(folder).catch(() => {});
      isTidy = true;
      await putFile(folder, fileOf(witness.ledgerId), `${JSON.stringify(witness)}\n`);
    },
  };
}

/** Whether a witness could be written into the folder. @throws what is in the way. */
export async function tryWitness(folder: string): Promise<void> {
  const file = join(folder, "witness-try");
  await putFile(folder, file, "a file that payrun doctor has tried out\n");
  await rm(file, { force: true });
}

const DRAFT = /^witness-.*\.json\.(\d+)$/;
/** A draft is renamed within milliseconds. One of another machine, whose processes are unknown here, is not younger. */
const DRAFT_MS = 60_000;

/** Removes the drafts of processes that were killed before they renamed them. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(DRAFT.exec(name)?.[1] ?? 0);
    if (pid === 0 || pid === process.pid) continue;
    const path = join(folder, name);
    if (systemClock.nowMs() - (await stat(path)).mtimeMs > DRAFT_MS)
      await rm(path, { force: true });
  }
}

/** Puts a text in the place of a small file, whole or not at all. */
export async function putFile(folder: string, file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await makeFolder(folder);
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    // On a full disk an empty one would be left.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** The same store, and who is told when it cannot be written to, once until it can. */
export function telling(store: WitnessStore, tell: (words: string) => void): WitnessStore {
  let isTold = false;
  return {
    ...store,
    async write(witness) {
      try {
        await store.write(witness);
        isTold = false;
      } catch (error) {
        if (!isTold) tell(wordsOf(error));
        isTold = true;
        throw error;
      }
    },
  };
}
