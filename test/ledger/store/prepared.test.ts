import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { openPrepared } from "#ledger/store/database.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { approvedBatch, claimOf, openTestLedger, TEST_SEALER } from "../../support/ledger.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const KEPT = sql<{ generic: number; custom: number }>`
  select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements order by name`;

/** Sends all due payouts of the batch, which are accepted. Returns their number. */
async function sendAll(ledger: Ledger, batchId: string, sizeMax: number): Promise<number> {
  const attempts = await ledger.payout.openAttempts(claimOf(batchId, { sizeMax }));
  const made = attempts.map((attempt) => ledger.payout.move(moveOf(attempt)));
  return (await Promise.all(made)).filter(Boolean).length;
}

test("parses and plans a claim and its outcome once per connection, whatever their batch", async () => {
  const open = await openTestLedger();
  const sending = openPrepared(open.url, 1);
  onTestFinished(async () => {
    await sending.destroy();
    await open.close();
  });
  const ledger = createLedger(open.database, TEST_SEALER, systemClock, { sending });
  const sent = async (rows: number) => {
    const { id } = await approvedBatch(open.ledger, rowsOf(rows));
    return sendAll(ledger, id, rows);
  };

  expect(await sent(3)).toBe(3);
  const { rows: first } = await KEPT.execute(sending);
  expect(await sent(40)).toBe(40);
  expect(await sent(5)).toBe(5);
  const { rows: last } = await KEPT.execute(sending);

  // Once more for the claim that knows the last attempt of this ledger.
  expect(last.length - first.length).toBeLessThanOrEqual(1);
  expect(last.length).toBeLessThanOrEqual(6);
  expect(last.reduce((sum, { custom }) => sum + custom, 0)).toBe(0);
  expect(last.reduce((sum, { generic }) => sum + generic, 0)).toBeGreaterThanOrEqual(6);
});

test("keeps the cost of claims and status queries constant, however much was accepted since they were planned", async () => {
  const open = await openTestLedger();
  const sending = openPrepared(open.url, 1);
  const options = { sending, asking: sending };
  const ledger = createLedger(open.database, TEST_SEALER, systemClock, options);
  const few = await approvedBatch(open.ledger, rowsOf(3));
  expect(await sendAll(ledger, few.id, 3)).toBe(3);
  const many = await approvedBatch(open.ledger, rowsOf(2_000));
  expect(await sendAll(ledger, many.id, 2_000)).toBe(2_000);
  // The planner's knowledge of these tables is as accurate as possible.
  await sql`update payouts set due_at = now() where state = 'accepted'`.execute(open.database);
  await query(open.url, "analyze");
  const last = await approvedBatch(open.ledger, rowsOf(5));
  await open.close();

  const readSoFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(sending);
    const { rows } = await sql<{ read: number }>`
      select sum(idx_tup_fetch)::int as read from pg_stat_user_tables
      where relname in ('payouts', 'payout_details')`.execute(sending);
    return rows[0]?.read ?? 0;
  };
  await eventually("the other connections have ended, and told what they had read", async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(sending);
    return rows.length === 0;
  });
  const again = await openTestLedger(open.url);
  onTestFinished(async () => {
    await sending.destroy();
    await again.close();
  });
  const alone = createLedger(again.database, TEST_SEALER, systemClock, options);
  const before = await readSoFar();
  expect(before).toBeGreaterThan(2_000);
  const claimed = await alone.payout.openAttempts(claimOf(last.id));
  expect(claimed).toHaveLength(5);
  expect((await readSoFar()) - before).toBeLessThan(500);

  const { batchId, lane } = claimOf(many.id);
  const asked = await readSoFar();
  const take = { batchId, lane, sizeMax: 5, leaseMs: 1_000 };
  expect(await alone.payout.claimStatusQueries(take)).toHaveLength(5);
  expect(await alone.payout.dueWork(batchId, lane, 5)).toEqual({
    toSend: 0,
    toQuery: 5,
    open: true,
  });
  expect((await readSoFar()) - asked).toBeLessThan(500);
});
