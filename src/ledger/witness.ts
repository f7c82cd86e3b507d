import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "#ledger/folder.ts";

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
      const file = fileOf(witness.ledgerId);
      const draft = `${file}.${process.pid}`;
      await makeFolder(folder);
      await writeFile(draft, `${JSON.stringify(witness)}\n`, { mode: 0o600 });
      await rename(draft, file);
    },
  };
}
