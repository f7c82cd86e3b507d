/**
 * Processor time of PostgreSQL per payout for each step of its way from the file to the settlement,
 * without workers, queue and gateway. It shows what a change of a statement or an index costs, also
 * on a busy machine.
 *
 * Run as: node bench/sending/ledger-steps.ts [--rows N] [--group N]
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import type { OpenAttempt, StatusQuery } from "#ledger/ledger.ts";
import { clusterCpuSeconds, openEmbedded, scratch, writeInrFile } from "../support.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    group: { type: "string", default: "32" },
  },
});
const rows = Number(values.rows);
const group = Number(values.group);

const folder = scratch();
const payrun = await openEmbedded(folder);
const { ledger, keyring, database } = payrun;

const figures: Record<string, number> = {};
async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = await clusterCpuSeconds(database);
  const result = await work();
  figures[name] = ((await clusterCpuSeconds(database)) - before) * (1e6 / rows);
  return result;
}

const file = writeInrFile(join(folder, "rows.csv"), rows, 1);
const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
const taken = await measured("ingest", () =>
  ingest(upload, { ledger, keyring, rows: payrun.rows }),
);
if (!taken.ok) throw new Error("the file was refused");
const { batch } = taken.value;
const [{ lane } = { lane: "" }] = batch.lanes;
const approval = { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
await measured("approve", () => approve(batch.id, approval, { ledger }));

const work = { batchId: batch.id, lane, sizeMax: group, leaseMs: 600_000 };
const claim = {
  ...work,
  worker: "host-1234-abcdef",
  keyId: "k",
  inDoubtLimit: { count: 500, minor: null },
};
const attempts: OpenAttempt[] = [];
await measured("claim", async () => {
  for (;;) {
    const claimed = await ledger.payout.openAttempts(claim);
    if (claimed.length === 0) return;
    attempts.push(...claimed);
  }
});

/** Calls the function for each element, as many at a time as a group has. */
async function inGroups<T>(all: readonly T[], each: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += group)
    await Promise.all(all.slice(at, at + group).map(each));
}

const answer = {
  httpStatus: 200,
  code: null,
  text: "request withdraw successful",
  elapsedMs: 12.345,
  dateOffsetMs: -345,
};
await measured("accept", () =>
  inGroups(attempts, ({ payoutId, seq }) =>
    ledger.payout.move({
      payoutId,
      seq,
      from: "submitting",
      event: "accept",
      reason: null,
      dueInMs: 0,
      actor: claim.worker,
      evidence: { kind: "answer", attempt: 1, facts: { ...answer, outcome: "accepted" } },
    }),
  ),
);

const queries: StatusQuery[] = [];
await measured("query", async () => {
  for (;;) {
    const claimed = await ledger.payout.claimStatusQueries(work);
    if (claimed.length === 0) return;
    queries.push(...claimed);
  }
});

const record = {
  gatewayNumber: "WD0123456789",
  transactionCode: "PR0123456789ABCDEFGH",
  currency: "INR",
  amount: "100.00",
  state: "completed",
  fee: "1.00",
  says: null,
  at: "2026-11-27T00:00:00Z",
};
await measured("settle", () =>
  inGroups(queries, ({ payoutId, seq, transactionCode }) =>
    ledger.payout.move({
      payoutId,
      seq,
      from: "accepted",
      event: "settle",
      reason: null,
      dueInMs: 0,
      actor: claim.worker,
      gatewayNumber: `WD${transactionCode.slice(-10)}`,
      fee: { kind: "read", fee: { currency: "INR", minor: 100n, minorDigits: 2 } },
      evidence: {
        kind: "status",
        attempt: null,
        facts: { ...answer, answer: "found", ...record, transactionCode },
      },
    }),
  ),
);
if (queries.length !== rows) throw new Error(`${queries.length} of ${rows} payouts were queried`);
const { rows: sizes } = await sql<{ name: string; bytes: number }>`
  select relname as name, pg_total_relation_size(oid) as bytes from pg_class
  where relkind = 'r' and relnamespace = 'payrun'::regnamespace
  order by 2 desc limit 8`.execute(database);
process.stdout.write(
  `${JSON.stringify({ microseconds: figures, total: Object.entries(figures).reduce((s, [n, v]) => (n === "ingest" ? s : s + v), 0), bytesPerPayout: Object.fromEntries(sizes.map(({ name, bytes }) => [name, Math.round(bytes / rows)])) }, null, 1)}\n`,
);
await payrun.close();
