/** How fast a file gets into the ledger: checked, sealed, committed. Embedded PostgreSQL with fsync. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#config.ts";
import { ingest } from "#flows/ingest.ts";
import { openPayrun } from "#wiring.ts";
import { median, scratch, writeInrFile, writeMerchants } from "./support.ts";

/** Rows per second, median of the runs after a warm-up. */
export async function measureIngest(rows: number, runs: number): Promise<number> {
  const folder = scratch();
  const payrun = await openPayrun(
    readConfig({
      DATABASE_URL: "",
      REDIS_URL: "",
      PAYRUN_DATA: join(folder, "data"),
      GATEWAY_URL: "http://127.0.0.1:1",
      MERCHANTS_FILE: writeMerchants(folder),
      LOG_LEVEL: "warn",
    }),
  );
  const rates: number[] = [];
  try {
    for (let turn = 0; turn <= runs; turn++) {
      const file = writeInrFile(join(folder, `${turn}.csv`), turn === 0 ? 5_000 : rows, turn);
      const startedMs = performance.now();
      const { ledger, keyring } = payrun;
      const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
      const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
      if (!taken.ok) throw new Error("the file was refused");
      if (turn > 0) rates.push(rows / ((performance.now() - startedMs) / 1000));
    }
  } finally {
    await payrun.close();
  }
  return median(rates);
}
