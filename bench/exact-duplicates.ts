/**
 * Time that an approval takes to search for exact duplicates, where every row is one and where none
 * is.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { median, openEmbedded, scratch, serverProcesses, usedBy, writeInrFile } from "./support.ts";

export interface ExactDuplicateFigures {
  readonly allSeconds: number;
  readonly noneSeconds: number;
  /** Peak memory of one PostgreSQL process, shared memory included. */
  readonly postgresMegabytes: number;
}

/** Measures the search for exact duplicates. */
export async function measureExactDuplicates(
  rows: number,
  runs: number,
): Promise<ExactDuplicateFigures> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { ledger, keyring, database } = payrun;
  const bring = async (name: string, seed: number) => {
    const file = writeInrFile(join(folder, `${name}.csv`), rows, seed);
    // The name makes the files differ. Otherwise the second file would return the first batch.
    const upload = {
      fileName: file,
      open: () => createReadStream(file),
      actor: "bench",
      identity: name,
    };
    const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
    if (!taken.ok) throw new Error("the file was refused");
    return taken.value.batch;
  };
  try {
    const paid = await bring("paid", 1);
    const order = { actor: "bench", contentDigest: paid.contentDigest, totals: totalsOf(paid) };
    const approved = await approve(paid.id, order, { ledger });
    if (!approved.ok) throw new Error(JSON.stringify(approved.error));
    const same = await bring("same", 1);
    const other = await bring("other", 2);
    let postgresMegabytes = 0;
    const look = async (id: string, found: number): Promise<number> => {
      const seconds: number[] = [];
      for (let turn = 0; turn < runs; turn++) {
        const startedMs = performance.now();
        const repeats = await findExactDuplicates(database, id, new Date());
        seconds.push((performance.now() - startedMs) / 1_000);
        if (repeats.reduce((sum, repeat) => sum + repeat.rows, 0) !== found) {
          throw new Error(`expected ${found} duplicates: ${JSON.stringify(repeats)}`);
        }
        const peaks = (await serverProcesses(database)).map(
          (pid) => usedBy(pid)?.peakMegabytes ?? 0,
        );
        postgresMegabytes = Math.max(postgresMegabytes, ...peaks);
      }
      return median(seconds);
    };
    const noneSeconds = await look(other.id, 0);
    const allSeconds = await look(same.id, rows);
    return { allSeconds, noneSeconds, postgresMegabytes };
  } finally {
    await payrun.close();
  }
}
