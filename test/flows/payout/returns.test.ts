import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { checkRepeatedCodes } from "#flows/payout/check-repeated.ts";
import { queryByHand } from "#flows/payout/query-by-hand.ts";
import { createRetryBatch, type RetryOrder } from "#flows/payout/retry-batch.ts";
import { refusalText } from "#flows/payout/retry-refusal-text.ts";
import { queryStatus } from "#flows/payout/status-query.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { roundAt } from "#jobs/submit.ts";
import { createReturnNotices } from "#ledger/notification/return-notices.ts";
import { findDailyResults } from "#ledger/payout/lane/daily-results.ts";
import { findPayoutHistory } from "#ledger/payout/payout-history.ts";
import { findRetryBatchView } from "#ledger/payout/retry-batch-views.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway, untilDone } from "../../support/flow.ts";
import {
  approvedBatch,
  laneIn,
  openTestLedger,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

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

const sql = (text: string) => query(open.url, text);
const send = (id: string) =>
  untilDone(() => {
    const round = roundAt(systemClock.nowMs());
    return submitDue({ batchId: id, lane: laneIn("INR"), slot: 0, rank: 1, round }, world.deps);
  });
const states = async () =>
  (await sql("select state from payouts order by id")).map((row) => row["state"]);
const batchState = async (id = batchId) => (await open.ledger.payout.findBatch({ id }))?.state;

function reports(state: StatusRecord["state"]): void {
  gateway.answer = (transactionCode) => ({
    kind: "found",
    record: {
      transactionCode,
      state,
      amount: "100.00",
      currency: "INR",
      gatewayNumber: `WD-${transactionCode}`,
      fee: "1.00",
    },
  });
}

/** A finished batch of settled payouts of INR 100.00. Returns their codes. */
async function settled(count: number): Promise<string[]> {
  const batch = await approvedBatch(open.ledger, rowsOf(count));
  batchId = batch.id;
  await send(batchId);
  reports("completed");
  const codes = gateway.sent.map(({ transactionCode }) => transactionCode);
  for (const code of codes) await queryByHand(code, world.deps);
  await open.ledger.payout.finishBatch(batchId);
  return codes;
}

/** The gateway reports the payout as failed, and confirms it after a while. */
async function returned(code: string): Promise<void> {
  reports("failed");
  await queryByHand(code, world.deps);
  await systemClock.sleep(12 * world.deps.timings.resolveAfterMs + 20);
  await checkRepeatedCodes(world.deps);
}

describe("a settled payout that the gateway reports as failed", () => {
  test("is returned after a second answer, which payrun asks for by itself", async () => {
    const [code = ""] = await settled(2);
    expect(await batchState()).toBe("finished");
    reports("failed");
    await queryByHand(code, world.deps);
    await checkRepeatedCodes(world.deps);
    expect(await states(), "one report is not enough").toEqual(["settled", "settled"]);
    const reportedOnce = await findPayoutHistory(open.database, open.sealer, code);
    expect(reportedOnce?.isReturnReported).toBe(true);
    await returned(code);

    expect(await states()).toEqual(["returned", "settled"]);
    expect(await batchState()).toBe("finished_with_exceptions");
    const progress = await open.ledger.payout.progressOf(batchId);
    expect(progress.map(({ state, count, sum }) => [state, count, sum.minor])).toEqual([
      ["returned", 1, 10_000n],
      ["settled", 1, 10_000n],
    ]);
    const results = await findDailyResults(open.database, 1);
    expect(results.map(({ state, payouts, sum }) => [state, payouts, sum.minor])).toEqual([
      ["returned", 1, 10_000n],
      ["settled", 2, 20_000n],
    ]);
    const history = await findPayoutHistory(open.database, open.sealer, code);
    expect(history).toMatchObject({
      reason: "returned_by_gateway: failed",
      isReturnReported: false,
      fee: { minor: 100n },
    });
    expect(
      history?.evidence.filter(({ facts }) => facts["state"] === "failed").length,
    ).toBeGreaterThan(1);
  });

  test("stays settled after a callback that says so", async () => {
    const [code = ""] = await settled(1);
    const known = await open.ledger.payout.findStatusQuery(code);
    const facts = { state: "failed" };
    await open.ledger.payout.recordCallback({ payoutId: known?.payoutId ?? 0, facts });
    await open.ledger.payout.recordCallback({
      payoutId: known?.payoutId ?? 0,
      facts: { ...facts, again: true },
    });
    await checkRepeatedCodes(world.deps);
    expect(await states()).toEqual(["settled"]);
  });

  test("goes on hold if the second answer contradicts the first", async () => {
    const [code = ""] = await settled(1);
    reports("failed");
    await queryByHand(code, world.deps);
    reports("completed");
    await systemClock.sleep(140);
    await checkRepeatedCodes(world.deps);
    expect(await sql("select state, reason from payouts")).toEqual([
      { state: "on_hold", reason: "contradiction: settled, then failed, now completed" },
    ]);
  });

  test.each([
    ["the first report", false],
    ["the return", true],
  ])(
    "goes on hold if an answer that says otherwise arrives after %s",
    async (_what, isReturned) => {
      const [code = ""] = await settled(1);
      const query = await open.ledger.payout.findStatusQuery(code);
      if (!query) throw new Error(code);
      reports("failed");
      if (isReturned) await returned(code);
      else await queryByHand(code, world.deps);
      // Queried before the other answers were recorded.
      reports("completed");
      await queryStatus(query, world.deps);
      expect(await states()).toEqual(["on_hold"]);
    },
  );

  test("is never sent again, and goes on hold if the gateway reports it as completed", async () => {
    const [code = ""] = await settled(1);
    await returned(code);
    await send(batchId);
    expect(gateway.sent).toHaveLength(1);
    reports("completed");
    await queryByHand(code, world.deps);
    expect(await sql("select state, reason from payouts")).toEqual([
      { state: "on_hold", reason: "contradiction: returned, now completed" },
    ]);
  });

  test("notifies once that payouts of its batch were returned, with their total", async () => {
    const [one = "", two = ""] = await settled(3);
    await returned(one);
    await returned(two);
    await createReturnNotices(open.database, { canMail: false });
    expect(await sql("select from notices"), "more may follow").toEqual([]);
    await force(open.url, "update payouts set updated_at = updated_at - interval '2 minutes'");
    await createReturnNotices(open.database, { canMail: false });
    await createReturnNotices(open.database, { canMail: false });
    expect(await sql("select event, object, facts from notices")).toEqual([
      {
        event: "batch_payouts_returned",
        object: batchId,
        facts: { file: "test.csv", rows: 2, totals: { INR: "200.00" } },
      },
    ]);
  });
});

describe("a retry batch", () => {
  const rows = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map<string, bigint>() };
  const retry = (change: Partial<RetryOrder>) =>
    createRetryBatch(
      { batchId, actor: "maker", reason: "the money is back", ...change },
      { ledger: open.ledger, keyring: TEST_KEYRING, rows },
    );
  const CONFIRMED = [{ currency: "INR", amount: "200.00" }];

  test("includes returned payouts only with their confirmed totals, and is approved like any other", async () => {
    const [one = "", two = ""] = await settled(3);
    await returned(one);
    await returned(two);
    expect(await findRetryBatchView(open.database, batchId)).toMatchObject({
      payable: { count: 0 },
      leftOut: expect.arrayContaining([
        { why: "returned", count: 2, sums: [{ currency: "INR", minor: 20_000n, minorDigits: 2 }] },
      ]),
    });
    const nothing = { kind: "nothing", returned: CONFIRMED } as const;
    expect(await retry({})).toEqual({ ok: false, error: nothing });
    const both = { ...nothing, returned: [...CONFIRMED, { currency: "THB", amount: "50.00" }] };
    expect(refusalText("B1", both)).toBe(
      "No declined payout of batch B1 can be retried, but returned payouts can: INR 200.00, THB 50.00. To retry them, confirm their totals with --returned INR=200.00,THB=50.00 and give a reason with --reason, or use the fields “returned” and “reason” of the API.",
    );
    const wrong = [{ currency: "INR", amount: "100.00" }];
    expect(await retry({ returned: wrong })).toEqual({
      ok: false,
      error: { kind: "returned_changed", totals: CONFIRMED },
    });
    expect(await retry({ returned: CONFIRMED, reason: null })).toMatchObject({
      error: { kind: "needs_reason" },
    });

    const made = await retry({ returned: CONFIRMED });
    if (!made.ok) throw new Error(made.error.kind);
    const { batch } = made.value;
    expect(batch).toMatchObject({ state: "awaiting_approval", rows: 2 });
    await send(batch.id);
    expect(gateway.sent, "not before its approval").toHaveLength(3);
    expect(await retry({ returned: CONFIRMED })).toMatchObject({ error: { kind: "paid_again" } });
    const approval = { actor: "checker", contentDigest: batch.contentDigest };
    await approve(batch.id, { ...approval, totals: totalsOf(batch) }, { ledger: open.ledger });
    await send(batch.id);
    expect(gateway.sent).toHaveLength(5);
    expect(new Set(gateway.sent.map(({ transactionCode }) => transactionCode)).size).toBe(5);
  });

  test("is not sent for a payout that the gateway has meanwhile reported as completed", async () => {
    const [one = "", two = ""] = await settled(2);
    await returned(one);
    await returned(two);
    const made = await retry({ returned: CONFIRMED });
    if (!made.ok) throw new Error(made.error.kind);
    const { batch } = made.value;
    const approval = { actor: "checker", contentDigest: batch.contentDigest };
    await approve(batch.id, { ...approval, totals: totalsOf(batch) }, { ledger: open.ledger });
    reports("completed");
    await queryByHand(one, world.deps);
    await send(batch.id);
    expect(gateway.sent, "only the retry of the second").toHaveLength(3);
    expect(await open.ledger.payout.holdInvalidRetries(batch.id)).toBe(1);
    expect((await states()).map(String).toSorted()).toEqual([
      "accepted",
      "on_hold",
      "on_hold",
      "returned",
    ]);
  });

  test("retries a declined payout next to returned ones only if it is named", async () => {
    const [one = ""] = await settled(2);
    await returned(one);
    await force(
      open.url,
      "update payouts set state = 'declined', reason = 'failed_at_gateway' where state = 'settled'",
    );
    const made = await retry({ returned: [{ currency: "INR", amount: "100.00" }] });
    expect(made).toMatchObject({ value: { batch: { rows: 1 } } });
    const rest = await retry({ causes: ["failed_at_gateway"] });
    expect(rest).toMatchObject({ value: { batch: { rows: 1 } } });
  });
});

test("another source of evidence can return a settled payout in a transaction of its own", async () => {
  const [code = ""] = await settled(1);
  const known = await open.ledger.payout.findStatusQuery(code);
  const facts = { text: "returned on 2026-11-27" };
  const isMade = await open.ledger.transaction((transaction) =>
    transaction.payout.moveFinished(
      {
        payoutId: known?.payoutId ?? 0,
        seq: known?.seq ?? 0,
        from: "settled",
        event: "return",
        reason: "returned_by_gateway: statement",
        dueInMs: 0,
        actor: "test",
        evidence: { kind: "status", attempt: null, facts },
      },
      new Date(),
    ),
  );
  expect(isMade).toBe(true);
  expect([await states(), await batchState()]).toEqual([["returned"], "finished_with_exceptions"]);
});
