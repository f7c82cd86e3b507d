/**
 * Response times of the batch page and the home page while a large batch is being sent. Statements
 * of the ledger send it, without workers and gateway. Embedded PostgreSQL.
 *
 * Run as: node bench/sending/pages-while-sending.ts [--rows N]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { createApp } from "#http/app/app.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { serverDeps } from "#views/deps.ts";
import { databaseOf, openEmbedded, scratch, signIn, writeInrFile } from "../support.ts";
import { acceptAll, approveBatch, ingestFile } from "./ledger-walk.ts";

const TIMES = 20;
const GROUP = 64;

interface PageTimes {
  readonly name: string;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Measures the requests of the batch page and the home page. */
export async function measurePagesWhileSending(rows: number): Promise<PageTimes[]> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { database, ledger, log } = payrun;
  const file = writeInrFile(join(folder, "rows.csv"), rows, 1);
  const batch = await ingestFile(file, payrun);
  await approveBatch(batch, payrun);
  // A page does not have to wait until autovacuum has seen the new rows.
  const { DATABASE_OWNER_URL: ownerUrl } = await databaseOf(join(folder, "data"));
  const owner = openDatabase(ownerUrl, 1);
  await sql`analyze payouts`.execute(owner);
  await owner.destroy();
  const stop = new AbortController();
  const lane = batch.lanes[0]?.lane ?? "";
  const sending = send(ledger, { batchId: batch.id, lane }, stop.signal);
  const dashboard = serverDeps(payrun, "simulated");
  const app = createApp({ log, openCallback: () => null, health: async () => [], dashboard });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const headers = await signIn(database, ["operator", "uploader", "approver", "auditor"]);
  const paths = [
    "/api/home",
    "/api/home/tasks",
    "/api/home/figures",
    "/api/batches",
    `/api/batches/${batch.id}`,
    `/api/batches/${batch.id}/progress`,
    `/api/batches/${batch.id}/unsent`,
    `/api/payouts?batch=${batch.id}`,
  ];
  try {
    const measured: PageTimes[] = [];
    for (const path of paths) {
      const times: number[] = [];
      for (let turn = 0; turn < TIMES; turn++) {
        const startedMs = performance.now();
        const answer = await fetch(url + path, { headers });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
        times.push(performance.now() - startedMs);
      }
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(share * TIMES) - 1] ?? Number.NaN;
      measured.push({ name: path.replace(batch.id, "ID"), medianMs: at(0.5), p95Ms: at(0.95) });
    }
    return measured;
  } finally {
    stop.abort();
    await sending;
    await app.close();
    await payrun.close();
  }
}

/** Claims payouts, and records that the gateway accepted them, until it is stopped. */
async function send(
  ledger: PayingLedger,
  of: { readonly batchId: string; readonly lane: string },
  stop: AbortSignal,
): Promise<void> {
  const leaseMs = 600_000;
  const claim = { ...of, sizeMax: GROUP, leaseMs, worker: "bench", keyId: "bench" };
  const inDoubtLimit = { count: 500, minor: null };
  while (!stop.aborted) {
    const attempts = await ledger.payout.openAttempts({ ...claim, inDoubtLimit });
    if (attempts.length === 0) return;
    await acceptAll(attempts, { ledger }, { group: GROUP });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
  for (const { name, medianMs, p95Ms } of await measurePagesWhileSending(Number(values.rows))) {
    process.stdout.write(`${name}: median ${medianMs.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms\n`);
  }
  process.exit(0);
}
