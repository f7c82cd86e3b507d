import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../support/ledger.ts";
import { handsOn, INR } from "../support/ledger-hands.ts";
import { LEDGERS, type Subject } from "../support/two-ledgers.ts";

/** What the brakes in the claim promise, in the ledger of the product and in the stand-in of the simulation. */
describe.each(LEDGERS)("the brakes of a claim, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim } = handsOn(() => subject);

  describe("F57 the ceiling of doubt", () => {
    const doubtOne = async (id: string) => {
      const attempt = await onlyClaim(id);
      await move(attempt, { event: "doubt", reason: "no_answer" });
      return attempt;
    };

    test("yields nothing new above the count, and as much as before at it", async () => {
      const { id } = await batchOf(4);
      await doubtOne(id);
      await doubtOne(id);
      expect(await claim(id, { ceiling: { count: 1, minor: null } })).toEqual([]);
      expect(await claim(id, { ceiling: { count: 2, minor: null } })).toHaveLength(2);
    });

    test("yields nothing new above the amount, over all batches of the lane", async () => {
      const { id } = await batchOf(2);
      await doubtOne((await batchOf(2)).id);
      const { minor } = await subject.ledger.doubtIn(INR);
      expect(minor).toBeGreaterThan(0n);
      expect(await claim(id, { ceiling: { count: 500, minor: minor - 1n } })).toEqual([]);
      expect(await claim(id, { ceiling: { count: 500, minor } })).toHaveLength(2);
    });

    test("holds for the payout that would try a stopped lane out, and keeps the trial for later", async () => {
      const { id } = await batchOf(3);
      await doubtOne(id);
      await subject.ledger.stopLane(INR, { until: "wait", reason: "maintenance" });
      await subject.pass(2_000);
      expect(await claim(id, { ceiling: { count: 0, minor: null } })).toEqual([]);
      expect(await claim(id)).toMatchObject([{ onTrial: true }]);
    });

    test("lets what is in doubt be sent again: that is what it waits for", async () => {
      const { id } = await batchOf(1);
      const { payoutId, seq } = await doubtOne(id);
      await subject.ledger.stopLane(INR, { until: "answers", brake: "doubt", reason: "too much" });
      const again = await subject.ledger.reopenAttempt(claimOf(id), { payoutId, seq: seq + 1 });
      expect(again?.payoutId).toBe(payoutId);
    });
  });

  test("a stopped lane says which brake holds it; an answer's stop is known by how it opens", async () => {
    const brakes: string[] = [];
    const see = async () => {
      brakes.push(...(await subject.ledger.stoppedLanes()).map(({ brake }) => brake));
      await subject.ledger.openLanes([INR], { actor: "ops", reason: "mended" });
    };
    await subject.ledger.stopLane(INR, { until: "answers", brake: "doubt", reason: "much" });
    await see();
    await subject.ledger.stopLane(INR, { until: "person", reason: "wrong key" });
    await see();
    await subject.ledger.stopLane(INR, { until: "wait", reason: "maintenance" });
    await see();
    expect(brakes).toEqual(["doubt", "set_up", "outage"]);
  });
});
