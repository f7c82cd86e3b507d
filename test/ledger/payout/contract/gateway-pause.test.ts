import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/**
 * A pause requested by the gateway, in the product's ledger and in the simulation's in-memory
 * ledger.
 */
describe.each(LEDGERS)("F40 a pause requested by the gateway, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim } = ledgerSteps(() => subject);

  const stop = (change: { afterMs?: number; until?: "wait" | "answers" } = {}) =>
    subject.ledger.payout.stopLane(INR, { until: "wait", reason: "an answer", ...change });
  const ask = (afterMs: number) => stop({ afterMs });
  const MINUTES = 10 * MINUTE_MS;

  test("is not shortened by later answers", async () => {
    const { id } = await batchOf(2);
    await ask(MINUTES);
    await subject.pass(MINUTE_MS);
    expect(await stop()).toBe(true);
    await subject.pass(MINUTE_MS);
    expect(await ask(1_000)).toBe(true);
    await subject.pass(7 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    await subject.pass(MINUTE_MS + 2_000);
    expect(await claim(id)).toMatchObject([{ isProbe: true }]);
  });

  test("also applies shortly after another answer stopped the lane, and the longest wait counts", async () => {
    const { id } = await batchOf(2);
    await stop();
    expect([await ask(MINUTES), await ask(2 * MINUTES), await ask(MINUTES)]).not.toContain(true);
    await subject.pass(19 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    await subject.pass(2 * MINUTE_MS);
    expect(await claim(id)).toMatchObject([{ isProbe: true }]);
  });

  test("is ended by a person, but not by an earlier probe in flight", async () => {
    const { id } = await batchOf(3);
    await stop();
    await subject.pass(2_000);
    expect(await claim(id)).toMatchObject([{ isProbe: true }]);
    await ask(MINUTES);
    expect(await subject.ledger.payout.recordProbeResult(INR, true)).toBe(false);
    expect(await subject.ledger.payout.openLanes([INR])).toEqual([]);
    await subject.pass(9 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    const by = { actor: "user:ops", reason: "the provider called" };
    expect(await subject.ledger.payout.openLanes([INR], by)).toEqual([INR]);
    expect(await claim(id)).toHaveLength(2);
    // None of it remains for the next stop.
    await stop();
    await subject.pass(2_000);
    expect(await subject.ledger.payout.recordProbeResult(INR, true)).toBe(true);
  });

  test("applies to a code in doubt as well, whatever else stops the lane", async () => {
    const { id } = await batchOf(2);
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    await ask(MINUTES);
    await subject.pass(MINUTE_MS);
    await stop({ until: "answers" });
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    const again = () => subject.ledger.payout.reopenAttempt(claimOf(id), payout);
    expect(await again()).toBeNull();
    await subject.pass(MINUTES);
    expect(await again()).not.toBeNull();
  });
});
