import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { claimOf, laneIn } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/** Sending rate of a lane, in the product's ledger and in the simulation's in-memory ledger. */
describe.each(LEDGERS)("the rate of a lane, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim } = ledgerSteps(() => subject);

  const limit = (limits: { rate?: number | null; concurrency?: number | null }, lane = INR) =>
    subject.ledger.payout.limitLane({
      lane,
      reason: "the gateway asks",
      actor: "user:ops",
      ...limits,
    });
  const stop = (change: { afterMs?: number } = {}) =>
    subject.ledger.payout.stopLane(INR, { until: "wait", reason: "no balance", ...change });

  test("F23 applies to all processes together, and equal batches get equally many turns", async () => {
    const [one, two] = [await batchOf(40), await batchOf(40)];
    await limit({ rate: 10 });
    const other = subject.another();
    const fromMs = systemClock.monotonicMs();
    const taken: OpenAttempt[][] = [[], []];
    let mostInRound = 0;
    for (let round = 0; round < 10; round += 1) {
      await subject.pass(200);
      const claims = await Promise.all([
        claim(one.id),
        other.payout.openAttempts(claimOf(two.id)),
        claim(two.id),
        other.payout.openAttempts(claimOf(one.id)),
      ]);
      for (const [at, attempts] of claims.entries()) taken[at % 3 === 0 ? 0 : 1]?.push(...attempts);
      // The first round has the allowance of a rest.
      if (round > 0) mostInRound = Math.max(mostInRound, claims.flat().length);
    }
    const seconds = 2 + (systemClock.monotonicMs() - fromMs) / 1_000;
    const [ofOne = [], ofTwo = []] = taken;
    const all = [...ofOne, ...ofTwo];
    expect(all.length).toBeGreaterThanOrEqual(20);
    // One second's allowance after a rest, then no more than the rate.
    expect(all.length).toBeLessThanOrEqual(10 * (seconds + 1) + 1);
    expect(new Set(all.map(({ payoutId }) => payoutId)).size).toBe(all.length);
    // A slow machine accumulates more turns per round, which one batch may take.
    expect(Math.abs(ofOne.length - ofTwo.length)).toBeLessThanOrEqual(Math.max(6, mostInRound));
  });

  test("gives a turn when its time has come, and keeps the others for later", async () => {
    const { id } = await batchOf(30);
    await limit({ rate: 1 });
    expect(await claim(id)).toHaveLength(1);
    expect(await claim(id)).toEqual([]);
    await subject.pass(1_000);
    expect(await claim(id)).toHaveLength(1);
    await subject.pass(MINUTE_MS);
    expect(await claim(id)).toHaveLength(1);
  });

  test("limits concurrent requests, and an answer frees a slot", async () => {
    const { id } = await batchOf(10);
    await limit({ concurrency: 3 });
    const [first, ...rest] = await claim(id);
    expect(rest).toHaveLength(2);
    expect(await subject.another().payout.openAttempts(claimOf(id))).toEqual([]);
    if (first) await move(first, { event: "decline", reason: "refused: 120" });
    expect(await claim(id)).toHaveLength(1);
  });

  test("takes a turn for a resent code as well", async () => {
    const { id } = await batchOf(2);
    await limit({ rate: 1 });
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    const again = { payoutId: first.payoutId, seq: first.seq + 1 };
    expect(await subject.ledger.payout.reopenAttempt(claimOf(id), again)).toBeNull();
    await subject.pass(1_000);
    expect(await subject.ledger.payout.reopenAttempt(claimOf(id), again)).not.toBeNull();
    expect(await claim(id)).toEqual([]);
  });

  test("reports when to return, unless another reason stops the lane or no work is left", async () => {
    const { id } = await batchOf(2);
    expect(await subject.ledger.payout.nextTurn(id, INR)).toBeNull();
    await limit({ rate: 0.5 });
    await claim(id);
    const waitMs = (await subject.ledger.payout.nextTurn(id, INR)) ?? 0;
    expect(waitMs).toBeGreaterThan(1_000);
    expect(waitMs).toBeLessThanOrEqual(2_000);
    const pause = { lane: INR, reason: "the bank called", actor: "user:ops" };
    await subject.ledger.payout.pauseLane({ ...pause, until: null, drain: false });
    expect(await subject.ledger.payout.nextTurn(id, INR)).toBeNull();
    await subject.ledger.payout.resumeLane(pause);
    await stop();
    expect(await subject.ledger.payout.nextTurn(id, INR)).toBeNull();
    await subject.ledger.payout.openLanes([INR]);
    await subject.pass(3_000);
    await claim(id);
    expect(await subject.ledger.payout.nextTurn(id, INR)).toBeNull();
  });

  test("is set by a person part by part and removed again, with each change on the audit log", async () => {
    const { id } = await batchOf(20);
    expect(await limit({ rate: 5 }, laneIn("THB"))).toBe(false);
    expect(await limit({ rate: 5 })).toBe(true);
    await limit({ concurrency: 2 });
    expect(await subject.ledger.payout.limitedLanes()).toMatchObject([
      { lane: INR, rate: 5, concurrency: 2, setBy: "user:ops", slowRate: null },
    ]);
    expect(await claim(id)).toHaveLength(2);
    await limit({ rate: null, concurrency: null });
    expect(await subject.ledger.payout.limitedLanes()).toEqual([]);
    expect(await claim(id)).toHaveLength(18);
    expect((await subject.audit()).slice(-3)).toEqual(
      [1, 2, 3].map(() => ({ actor: "user:ops", action: "set_lane", object: INR })),
    );
  });

  test("F57 F60 starts slowly after a stop of any length, and reaches full speed again", async () => {
    const { id } = await batchOf(60);
    await stop();
    await subject.pass(60 * MINUTE_MS);
    await subject.ledger.payout.openLanes([INR]);
    expect(await subject.ledger.payout.limitedLanes()).toMatchObject([{ lane: INR, slowRate: 8 }]);
    const first = await claim(id);
    expect(first).toHaveLength(8);
    for (const attempt of first) await move(attempt);
    await subject.pass(1_000);
    const second = await claim(id);
    expect(second.length).toBeGreaterThanOrEqual(8);
    expect(second.length).toBeLessThanOrEqual(9);
    expect(await subject.ledger.payout.limitedLanes()).toMatchObject([{ slowRate: 16 }]);
    await subject.pass(10 * MINUTE_MS);
    expect(await claim(id)).toHaveLength(60 - first.length - second.length);
    expect(await subject.ledger.payout.limitedLanes()).toEqual([]);
  });

  test("F40 is halved when the gateway asks for a pause, once for requests in flight together", async () => {
    const { id } = await batchOf(60);
    await limit({ rate: 40 });
    expect((await claim(id, { sizeMax: 40 })).length).toBe(40);
    await stop({ afterMs: 2_000 });
    await subject.pass(1_000);
    await stop({ afterMs: 2_000 });
    await subject.pass(3_000);
    await subject.ledger.payout.openLanes([INR]);
    expect(await subject.ledger.payout.limitedLanes()).toMatchObject([{ rate: 40, slowRate: 20 }]);
  });

  test("F23 yields turns to batches of higher priority, and equal ones share them", async () => {
    const [one, two] = [await batchOf(30), await batchOf(30)];
    await limit({ rate: 10 });
    const first = (batchId: string, priority: "urgent" | "normal" | "low") =>
      subject.ledger.payout.setPriority({
        batchId,
        priority,
        reason: "salaries",
        actor: "user:ops",
      });
    expect((await claim(one.id)).length).toBeLessThanOrEqual(6);
    await subject.pass(1_000);
    expect(await first(two.id, "urgent")).toBe(true);
    expect((await subject.ledger.payout.workingBatches()).map(({ id }) => id)).toEqual([
      two.id,
      one.id,
    ]);
    expect((await claim(one.id)).length).toBeLessThanOrEqual(6);
    expect((await claim(two.id)).length).toBeGreaterThanOrEqual(4);
    expect(await first("B-none", "low")).toBe(false);
    expect((await subject.audit()).at(-1)).toMatchObject({ action: "set_priority" });
  });
});
