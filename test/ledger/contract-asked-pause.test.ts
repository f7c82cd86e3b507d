import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../support/ledger.ts";
import { handsOn, INR, MINUTE_MS } from "../support/ledger-hands.ts";
import { LEDGERS, type Subject } from "../support/two-ledgers.ts";

/** A pause that the gateway asked for, in the ledger of the product and in the stand-in of the simulation. */
describe.each(LEDGERS)("F40 a pause that the gateway asked for, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim } = handsOn(() => subject);

  const stop = (change: { afterMs?: number; until?: "wait" | "answers" } = {}) =>
    subject.ledger.stopLane(INR, { until: "wait", reason: "an answer", ...change });
  const ask = (afterMs: number) => stop({ afterMs });
  const MINUTES = 10 * MINUTE_MS;

  test("is not made shorter by what is answered after it", async () => {
    const { id } = await batchOf(2);
    await ask(MINUTES);
    await subject.pass(MINUTE_MS);
    expect(await stop()).toBe(true);
    await subject.pass(MINUTE_MS);
    expect(await ask(1_000)).toBe(true);
    await subject.pass(7 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    await subject.pass(MINUTE_MS + 2_000);
    expect(await claim(id)).toMatchObject([{ onTrial: true }]);
  });

  test("counts from a moment after another answer stopped the lane, too, and the longest counts", async () => {
    const { id } = await batchOf(2);
    await stop();
    expect([await ask(MINUTES), await ask(2 * MINUTES), await ask(MINUTES)]).not.toContain(true);
    await subject.pass(19 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    await subject.pass(2 * MINUTE_MS);
    expect(await claim(id)).toMatchObject([{ onTrial: true }]);
  });

  test("is not ended by a trial that was under way before, but by a person", async () => {
    const { id } = await batchOf(3);
    await stop();
    await subject.pass(2_000);
    expect(await claim(id)).toMatchObject([{ onTrial: true }]);
    await ask(MINUTES);
    expect(await subject.ledger.endTrial(INR, true)).toBe(false);
    expect(await subject.ledger.openLanes([INR])).toEqual([]);
    await subject.pass(9 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    const by = { actor: "user:ops", reason: "the provider called" };
    expect(await subject.ledger.openLanes([INR], by)).toEqual([INR]);
    expect(await claim(id)).toHaveLength(2);
    // Nothing of it is left for the next stop.
    await stop();
    await subject.pass(2_000);
    expect(await subject.ledger.endTrial(INR, true)).toBe(true);
  });

  test("holds for a code in doubt as well, whatever else stops the lane", async () => {
    const { id } = await batchOf(2);
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    await ask(MINUTES);
    await subject.pass(MINUTE_MS);
    await stop({ until: "answers" });
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    const again = () => subject.ledger.reopenAttempt(claimOf(id), payout);
    expect(await again()).toBeNull();
    await subject.pass(MINUTES);
    expect(await again()).not.toBeNull();
  });
});
