import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../../../support/ledger.ts";
import { ledgerSteps, INR } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/**
 * Guarantees of the circuit breakers in the claim, in the product's ledger and in the simulation's
 * in-memory ledger.
 */
describe.each(LEDGERS)("the circuit breakers of a claim, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim } = ledgerSteps(() => subject);

  describe("F57 the in-doubt limit", () => {
    const doubtOne = async (id: string) => {
      const attempt = await onlyClaim(id);
      await move(attempt, { event: "doubt", reason: "no_answer" });
      return attempt;
    };

    test("yields no new payouts above the count, and the usual number at the limit", async () => {
      const { id } = await batchOf(4);
      await doubtOne(id);
      await doubtOne(id);
      expect(await claim(id, { inDoubtLimit: { count: 1, minor: null } })).toEqual([]);
      expect(await claim(id, { inDoubtLimit: { count: 2, minor: null } })).toHaveLength(2);
    });

    test("yields no new payouts above the amount, over all batches of the lane", async () => {
      const { id } = await batchOf(2);
      await doubtOne((await batchOf(2)).id);
      const { minor } = await subject.ledger.payout.inDoubtTotal(INR);
      expect(minor).toBeGreaterThan(0n);
      expect(await claim(id, { inDoubtLimit: { count: 500, minor: minor - 1n } })).toEqual([]);
      expect(await claim(id, { inDoubtLimit: { count: 500, minor } })).toHaveLength(2);
    });

    test("applies to the probe of a stopped lane, and keeps the probe for later", async () => {
      const { id } = await batchOf(3);
      await doubtOne(id);
      await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "maintenance" });
      await subject.pass(2_000);
      expect(await claim(id, { inDoubtLimit: { count: 0, minor: null } })).toEqual([]);
      expect(await claim(id)).toMatchObject([{ isProbe: true }]);
    });

    test("does not stop payouts in doubt from being resent", async () => {
      const { id } = await batchOf(1);
      const { payoutId, seq } = await doubtOne(id);
      await subject.ledger.payout.stopLane(INR, {
        until: "answers",
        breaker: "in_doubt",
        reason: "too much",
      });
      const again = await subject.ledger.payout.reopenAttempt(claimOf(id), {
        payoutId,
        seq: seq + 1,
      });
      expect(again?.payoutId).toBe(payoutId);
    });
  });

  test("names the circuit breaker that stopped a lane, and distinguishes it from a stop by an answer", async () => {
    const brakes: string[] = [];
    const see = async () => {
      brakes.push(...(await subject.ledger.payout.stoppedLanes()).map(({ breaker }) => breaker));
      await subject.ledger.payout.openLanes([INR], { actor: "ops", reason: "mended" });
    };
    await subject.ledger.payout.stopLane(INR, {
      until: "answers",
      breaker: "in_doubt",
      reason: "much",
    });
    await see();
    await subject.ledger.payout.stopLane(INR, { until: "person", reason: "wrong key" });
    await see();
    await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "maintenance" });
    await see();
    expect(brakes).toEqual(["in_doubt", "set_up", "outage"]);
  });
});
