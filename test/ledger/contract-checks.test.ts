import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../support/ledger.ts";
import { handsOn, MINUTE_MS } from "../support/ledger-hands.ts";
import { LEDGERS, type Subject } from "../support/two-ledgers.ts";

describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, move, onlyClaim } = handsOn(() => subject);

  test("F55 looks again at a settled payout whose code was repeated, until it is told to stop", async () => {
    const { id } = await batchOf(1);
    const attempt = await onlyClaim(id);
    await move(attempt, { event: "doubt", reason: "no_answer", mayBeProcessed: true });
    const { ledger } = subject;
    const reclaim = claimOf(id);
    const again = await ledger.reopenAttempt(reclaim, {
      payoutId: attempt.payoutId,
      seq: attempt.seq + 1,
    });
    if (!again) throw new Error("not claimed again");
    await move(again, { event: "accept", gatewayNumber: "WD1" });
    const take = () => ledger.takeChecks({ sizeMax: 4, leaseMs: MINUTE_MS });
    expect(await take()).toEqual([]);
    await move(
      { ...again, seq: again.seq + 1 },
      { from: "accepted", event: "settle", gatewayNumber: "WD2", dueInMs: 0 },
    );
    expect(await take()).toMatchObject([
      { state: "settled", isRepeated: true, gatewayNumber: "WD1", sinceUnansweredMs: null },
    ]);
    expect(await take()).toEqual([]);
    await ledger.noteCheck(attempt.payoutId, 0);
    expect(await take()).toHaveLength(1);
    await ledger.noteCheck(attempt.payoutId, null);
    expect(await take()).toEqual([]);
    await ledger.noteProcessing(attempt.lane, 90_000);
    const code = attempt.order.transactionCode;
    expect(await ledger.questionAbout(code)).toMatchObject({ slowestMs: 90_000 });
  });
});
