import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findDailyResults, mergeDailyResults } from "#ledger/payout/lane/daily-results.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { openDatabase } from "#ledger/store/database.ts";
import {
  approvedBatch,
  claimOf,
  declineAll,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const today = () => new Date().toISOString().slice(0, 10);

async function settleAll(batchId: string): Promise<void> {
  for (const { payoutId, seq } of await open.ledger.payout.openAttempts(claimOf(batchId))) {
    const move = { payoutId, reason: null, dueInMs: 0, actor: "test", evidence: null };
    await open.ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    await open.ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
  await open.ledger.payout.finishBatch(batchId);
}

describe("daily results", () => {
  test("count each payout once, with its exact amount, at its first result", async () => {
    const settled = await approvedBatch(open.ledger, [{ amount: "0.10" }, { amount: "0.20" }]);
    await settleAll(settled.id);
    const declined = await approvedBatch(open.ledger, [{ amount: "7.00" }]);
    await declineAll(open.ledger, declined.id);
    const [payout] = await query(open.url, "select id, seq from payouts where batch_id = $1", [
      settled.id,
    ]);
    // A later doubt about a result does not count it again.
    await open.ledger.payout.move({
      payoutId: Number(payout?.["id"]),
      seq: Number(payout?.["seq"]),
      from: "settled",
      event: "hold",
      reason: "status_changed",
      dueInMs: 0,
      actor: "test",
      evidence: null,
    });
    const shown = { day: today(), lane: laneIn("INR") };
    const results = [
      {
        ...shown,
        state: "declined",
        payouts: 1,
        sum: { currency: "INR", minor: 700n, minorDigits: 2 },
      },
      {
        ...shown,
        state: "settled",
        payouts: 2,
        sum: { currency: "INR", minor: 30n, minorDigits: 2 },
      },
    ];
    expect(await findDailyResults(open.database, 30)).toEqual(results);
  });

  test("merge the rows of all connections of earlier days, and keep every sum", async () => {
    await force(
      open.url,
      `insert into daily_results select current_date - 3, 'M/THB', 'THB', 2, 'settled', 8, writer, 2, 10 ^ 20
       from generate_series(0, 4) writer`,
    );
    const before = await findDailyResults(open.database, 30);
    await Promise.all([mergeDailyResults(open.database), mergeDailyResults(open.database)]);
    expect(await findDailyResults(open.database, 30)).toEqual(before);
    expect(before[0]).toMatchObject({ payouts: 10, sum: { minor: 5n * 10n ** 20n } });
    const rows = await query(open.url, "select writer from daily_results where lane = 'M/THB'");
    expect(rows).toEqual([{ writer: 0 }]);
  });
});

test("the migration counts the results of the last two months", async () => {
  const url = await olderLedger("0059-daily-results.sql");
  await force(
    url,
    `insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state,
        first_sent_at)
      select id, 'B1', id, 'M/INR', 'INR', 100 * id, 2, '', 'settled', now() - interval '4 seconds'
      from generate_series(1, 3) id`,
  );
  await force(
    url,
    `insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
      values (1, 3, 'settle', 'accepted', 'settled', 'x', now()), (2, 3, 'decline', 'accepted', 'declined', 'x', now()),
        (3, 3, 'settle', 'accepted', 'settled', 'x', now() - interval '90 days'),
        (1, 2, 'accept', 'submitting', 'accepted', 'x', now())`,
  );
  const database = openDatabase(url, 1);
  await migrate(database);
  expect(await findDailyResults(database, 30)).toMatchObject([
    { state: "declined", payouts: 1, sum: { minor: 200n } },
    { state: "settled", payouts: 1, sum: { minor: 100n } },
  ]);
  await database.destroy();
});
