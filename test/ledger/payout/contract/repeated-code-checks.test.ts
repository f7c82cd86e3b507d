import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../../../support/ledger.ts";
import { ledgerSteps, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, move, onlyClaim } = ledgerSteps(() => subject);
  const take = () =>
    subject.ledger.payout.claimRepeatedCodeChecks({ sizeMax: 4, leaseMs: MINUTE_MS });

  /** A payout whose code is sent a second time, after an attempt without an answer. */
  async function repeated() {
    const { id } = await batchOf(1);
    const attempt = await onlyClaim(id);
    await move(attempt, { event: "doubt", reason: "no_answer", mayBeProcessed: true });
    const payout = { payoutId: attempt.payoutId, seq: attempt.seq + 1 };
    const again = await subject.ledger.payout.reopenAttempt(claimOf(id), payout);
    if (!again) throw new Error("not claimed again");
    return { attempt, again };
  }

  test("F55 rechecks a settled payout whose code was sent again, until the recheck is over", async () => {
    const { attempt, again } = await repeated();
    const { ledger } = subject;
    await move(again, { event: "accept", gatewayNumber: "WD1" });
    expect(await take()).toEqual([]);
    await move(
      { ...again, seq: again.seq + 1 },
      { from: "accepted", event: "settle", gatewayNumber: "WD2", dueInMs: 0 },
    );
    expect(await take()).toMatchObject([
      { state: "settled", isRepeated: true, gatewayNumber: "WD1", sinceUnansweredMs: null },
    ]);
    expect(await take()).toEqual([]);
    await ledger.payout.scheduleRepeatedCodeCheck(attempt.payoutId, 0);
    expect(await take()).toHaveLength(1);
    await ledger.payout.scheduleRepeatedCodeCheck(attempt.payoutId, null);
    expect(await take()).toEqual([]);
    await ledger.payout.recordProcessingTime(attempt.lane, 90_000);
    const code = attempt.order.transactionCode;
    expect(await ledger.payout.findStatusQuery(code)).toMatchObject({ slowestMs: 90_000 });
  });

  test("F55 checks a payout on hold whose code was sent again", async () => {
    const { again } = await repeated();
    await move(again, { event: "hold", reason: "refused_after_doubt" });
    expect(await take()).toMatchObject([{ state: "on_hold", isRepeated: true }]);
  });

  test("never checks a payout whose code was sent once", async () => {
    const { id } = await batchOf(1);
    await move(await onlyClaim(id), { event: "hold", reason: "manual_process" });
    expect(await take()).toEqual([]);
  });
});
