/**
 * Speed of storing a file in the ledger: checked, encrypted, committed. Embedded PostgreSQL with
 * fsync.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { ingest } from "#flows/intake/ingest.ts";
import {
  cpuSeconds,
  median,
  openEmbedded,
  scratch,
  serverProcesses,
  writeInrFile,
} from "./support.ts";

export interface IngestFigures {
  /** Medians of the runs, after a warm-up. */
  readonly rowsPerSecond: number;
  /**
   * Processor time per row on each side. A busy machine lengthens the elapsed time but hardly
   * affects these.
   */
  readonly payrunMicroseconds: number;
  readonly postgresMicroseconds: number;
}

/** Measures how many rows per second the ledger stores. */
export async function measureIngest(rows: number, runs: number): Promise<IngestFigures> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const rates: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let turn = 0; turn <= runs; turn++) {
      const file = writeInrFile(join(folder, `${turn}.csv`), turn === 0 ? 5_000 : rows, turn);
      const { ledger, keyring, database } = payrun;
      const servers = await serverProcesses(database);
      const before = { ours: process.cpuUsage(), theirs: cpuSeconds(servers) };
      const startedMs = performance.now();
      const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
      const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
      if (!taken.ok) throw new Error("the file was refused");
      if (turn === 0) continue;
      rates.push(rows / ((performance.now() - startedMs) / 1000));
      const { user, system } = process.cpuUsage(before.ours);
      ours.push((user + system) / rows);
      theirs.push(((cpuSeconds(servers) - before.theirs) * 1e6) / rows);
    }
  } finally {
    await payrun.close();
  }
  return {
    rowsPerSecond: median(rates),
    payrunMicroseconds: median(ours),
    postgresMicroseconds: median(theirs),
  };
}
