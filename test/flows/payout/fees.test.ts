import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { queryByHand } from "#flows/payout/query-by-hand.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { findDailyFees } from "#ledger/payout/lane/daily-fees.ts";
import { findPayoutHistory } from "#ledger/payout/payout-history.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { earlierFee, payoutTimeline } from "#payout/timeline.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let world: ReturnType<typeof flowDeps>;
let batchId: string;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const today = () => new Date().toISOString().slice(0, 10);
const period = () => ({ from: today(), to: today(), zone: "UTC" });

/** Sends a batch of accepted payouts of INR 100.00, and returns their codes. */
async function sent(count: number): Promise<string[]> {
  const batch = await approvedBatch(open.ledger, rowsOf(count));
  batchId = batch.id;
  gateway.submit = () => ({ kind: "accepted" });
  const round = roundAt(systemClock.nowMs());
  await submitDue({ batchId, lane: laneIn("INR"), slot: 0, rank: 1, round }, world.deps);
  return gateway.sent.map(({ transactionCode }) => transactionCode);
}

/** Queries one payout, whose record has this state and fee. */
async function report(code: string, record: Partial<StatusRecord>): Promise<void> {
  gateway.answer = (transactionCode) => ({
    kind: "found",
    record: {
      transactionCode,
      state: "completed",
      amount: "100.00",
      currency: "INR",
      gatewayNumber: `WD-${transactionCode}`,
      fee: null,
      ...record,
    },
  });
  await queryByHand(code, world.deps);
}

const historyOf = async (code: string) => {
  const history = await findPayoutHistory(open.database, open.sealer, code);
  if (!history) throw new Error("no such payout");
  return history;
};
const INR = (minor: bigint, minorDigits = 2) => ({ currency: "INR", minor, minorDigits });

describe("the reported fee", () => {
  test("is stored with its payout, and totalled by batch, lane and day", async () => {
    const [one = "", two = "", three = "", four = ""] = await sent(4);
    await report(one, { fee: "1.5" });
    await report(two, { fee: "0.125" });
    await report(three, { fee: "2.00", state: "pending" });
    await report(four, { fee: "7.00", state: "failed" });
    expect((await historyOf(one)).fee).toEqual(INR(150n));
    expect((await historyOf(three)).fee, "of a payout that has not settled").toEqual(INR(200n));

    // Exact, with the decimals of the finest fee. Only settled payouts count.
    const total = INR(1_625n, 3);
    const lane = laneIn("INR");
    expect(await findDailyFees(open.database, period())).toEqual([
      { day: today(), lane, currency: "INR", payouts: 2, withoutFee: 0, fee: total },
    ]);
    const progress = await open.ledger.payout.progressOf(batchId);
    expect(progress.map(({ state, count, fee }) => [state, count, fee])).toEqual([
      ["accepted", 1, null],
      ["declined", 1, null],
      ["settled", 2, total],
    ]);
  });

  test("is replaced by a later report, which changes the day of the settlement", async () => {
    const [code = ""] = await sent(1);
    await report(code, { fee: "1.50" });
    await report(code, { fee: "1.500" });
    expect(earlierFee((await historyOf(code)).evidence)).toBeNull();
    await force(open.url, "update payouts set settled_at = settled_at - interval '1 day'");
    await report(code, { fee: "2.00" });
    const history = await historyOf(code);
    expect([history.state, history.fee]).toEqual(["settled", INR(200n)]);
    expect(earlierFee(history.evidence)).toBe("1.50");
    const texts = payoutTimeline(history).map(({ text }) => text);
    expect(texts.filter((text) => text?.includes("fee"))).toEqual([
      "The reported fee changed from 1.50 to 2.00.",
    ]);
    expect(await findDailyFees(open.database, period())).toEqual([]);
    const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect(await findDailyFees(open.database, { from, to: from, zone: "UTC" })).toMatchObject([
      { day: from, payouts: 1, fee: INR(200n) },
    ]);
  });

  test.each(["-1.00", "1,50", "1%", "NaN", "1e99", "9".repeat(20), "0.123456789"])(
    "is noted and does not block settlement if it is %s",
    async (fee) => {
      const [code = ""] = await sent(1);
      await report(code, { fee });
      expect(await historyOf(code)).toMatchObject({
        state: "settled",
        fee: null,
        unreadableFee: fee,
      });
      await report(code, { fee: "3.00" });
      expect(await historyOf(code)).toMatchObject({ fee: INR(300n), unreadableFee: null });
      await report(code, { fee });
      expect(await historyOf(code), "keeps the last readable fee").toMatchObject({
        fee: INR(300n),
        unreadableFee: fee,
      });
    },
  );

  test("is not taken from the record of another payout", async () => {
    const [one = "", two = "", three = ""] = await sent(3);
    await report(one, { fee: "1.00", amount: "999.00" });
    await report(two, { fee: "1.00", currency: "THB" });
    await report(three, { fee: "1.00", state: "unclear" });
    for (const code of [one, two, three]) expect((await historyOf(code)).fee).toBeNull();
    expect(await findDailyFees(open.database, period())).toEqual([]);
  });
});
