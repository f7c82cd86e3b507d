/**
 * Processor time of PostgreSQL per payout for each step of its way from the file to the settlement,
 * without workers, queue and gateway. It shows what a change of a statement or an index costs, also
 * on a busy machine.
 *
 * Run as: node bench/sending/ledger-steps.ts [--rows N] [--group N]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clusterCpuSeconds, openEmbedded, scratch, writeInrFile } from "../support.ts";
import {
  acceptAll,
  approveBatch,
  claimAll,
  claimQueries,
  ingestFile,
  settleAll,
} from "./ledger-walk.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    group: { type: "string", default: "32" },
  },
});
const rows = Number(values.rows);
const options = { group: Number(values.group) };

const folder = scratch();
const payrun = await openEmbedded(folder);

const figures: Record<string, number> = {};
async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = await clusterCpuSeconds(payrun.database);
  const result = await work();
  figures[name] = ((await clusterCpuSeconds(payrun.database)) - before) * (1e6 / rows);
  return result;
}

const file = writeInrFile(join(folder, "rows.csv"), rows, 1);
const batch = await measured("ingest", () => ingestFile(file, payrun));
await measured("approve", () => approveBatch(batch, payrun));
const attempts = await measured("claim", () => claimAll(batch, payrun, options));
await measured("accept", () => acceptAll(attempts, payrun, options));
const queries = await measured("query", () => claimQueries(batch, payrun, options));
await measured("settle", () => settleAll(queries, payrun, options));
if (queries.length !== rows) throw new Error(`${queries.length} of ${rows} payouts were queried`);
const total = Object.entries(figures).reduce(
  (sum, [name, us]) => sum + (name === "ingest" ? 0 : us),
  0,
);
process.stdout.write(`${JSON.stringify({ microseconds: figures, total }, null, 1)}\n`);
await payrun.close();
