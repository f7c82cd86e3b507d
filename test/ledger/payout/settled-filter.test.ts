import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#ledger/store/database.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const ROWS = 2_000;
const SETTLED = 3;

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  const { ledger } = open;
  const { id } = await approvedBatch(ledger, rowsOf(ROWS));
  for (const { payoutId, seq } of await ledger.payout.openAttempts(
    claimOf(id, { sizeMax: SETTLED }),
  )) {
    const move = { payoutId, reason: null, dueInMs: 0, actor: "test", evidence: null };
    await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    await ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
  await query(open.url, "vacuum analyze");
});
afterAll(() => open.close());

async function readSoFar(transaction: Database): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables
    where relname in ('payouts', 'transitions')`.execute(transaction);
  return rows[0]?.read ?? NaN;
}

test("reads few payouts to find those that were settled within a short period", async () => {
  const from = new Date(Date.now() - 60_000);
  const page = { sort: "newest", limit: 100, after: null } as const;
  const { answer, read } = await open.database.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    // The reads of earlier transactions may not have been reported yet.
    const before = await readSoFar(transaction);
    const answer = await listPayouts(transaction, open.sealer, { settled: { from } }, page);
    return { answer, read: (await readSoFar(transaction)) - before };
  });
  expect(answer.items.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
  expect(answer.items[0]?.settledAt?.getTime()).toBeGreaterThan(from.getTime());
  expect(answer.count).toBe(SETTLED);
  expect(read).toBeLessThan(100);
});
