import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { claimOf, laneIn } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/**
 * Guarantees of a person's pause of a lane, in the product's ledger and in the simulation's
 * in-memory ledger.
 */
describe.each(LEDGERS)("a lane paused by a person, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, onlyClaim, states, questions } = ledgerSteps(() => subject);

  const order = { reason: "the bank called", actor: "user:ops" };
  const pause = (lane = INR, until: Date | null = null) =>
    subject.ledger.payout.pauseLane({ lane, until, drain: false, ...order });
  const drain = (lane = INR) =>
    subject.ledger.payout.pauseLane({ lane, until: null, drain: true, ...order });
  const resume = (lane = INR) =>
    subject.ledger.payout.resumeLane({ lane, reason: "they called again", actor: "user:boss" });
  const inMs = (ms: number) => new Date(systemClock.nowMs() + ms);

  test.each([INR, EVERY_LANE])("yields no payout until a person resumes it (%s)", async (lane) => {
    const { id } = await batchOf(3);
    expect(await pause(lane)).toBe(true);
    expect(await claim(id)).toEqual([]);
    await subject.pass(24 * 60 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    expect(await resume(lane)).toBe(true);
    expect(await resume(lane)).toBe(false);
    expect(await claim(id)).toHaveLength(3);
  });

  test("is not opened by the conditions that open a stopped lane, and gives no probe", async () => {
    const { id } = await batchOf(3);
    await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "no balance" });
    await pause();
    await subject.pass(MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    expect(await subject.ledger.payout.openLanes([INR])).toEqual([INR]);
    expect(await claim(id)).toEqual([]);
    expect(await subject.ledger.payout.lanePauses()).toMatchObject([{ lane: INR }]);
    await resume();
    expect(await claim(id)).toHaveLength(3);
  });

  test("keeps its probe for later: a claim that may not send uses none", async () => {
    const { id } = await batchOf(3);
    await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "no balance" });
    await subject.pass(2_000);
    await pause();
    expect(await claim(id)).toEqual([]);
    await resume();
    expect(await claim(id)).toMatchObject([{ isProbe: true }]);
  });

  test("is still stopped when its pause ends, if it was stopped before", async () => {
    const { id } = await batchOf(1);
    await pause();
    await subject.ledger.payout.stopLane(INR, { until: "person", reason: "wrong key" });
    await resume();
    expect(await claim(id)).toEqual([]);
  });

  test("resends no code in doubt, but is still queried", async () => {
    const { id } = await batchOf(2);
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    await pause();
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    const [question] = await questions(id);
    expect(question).toMatchObject({ ...payout, state: "in_doubt" });
    expect(await subject.ledger.payout.reopenAttempt(claimOf(id), payout)).toBeNull();
    const found = { seq: payout.seq, payoutId: first.payoutId };
    expect(await move(found, { from: "in_doubt", event: "settle" })).toBe(true);
    expect(await states()).toEqual(["settled", "approved"]);
  });

  test("opens on its own at its given end, and not before", async () => {
    const { id } = await batchOf(1);
    await pause(INR, inMs(10 * MINUTE_MS));
    await subject.pass(9 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    expect(await subject.ledger.payout.lanePauses()).toHaveLength(1);
    await subject.pass(2 * MINUTE_MS);
    expect(await subject.ledger.payout.lanePauses()).toEqual([]);
    expect(await resume()).toBe(false);
    expect(await claim(id)).toHaveLength(1);
  });

  test("affects only itself: others send, and resuming all keeps the pause of one", async () => {
    const { id } = await batchOf(1);
    expect(await pause(laneIn("THB"))).toBe(false);
    await pause();
    await pause(EVERY_LANE);
    expect(await subject.ledger.payout.lanePauses()).toMatchObject([
      { lane: EVERY_LANE },
      { lane: INR },
    ]);
    await resume(EVERY_LANE);
    expect(await claim(id)).toEqual([]);
    await resume();
    expect(await claim(id)).toHaveLength(1);
  });

  describe.each([INR, EVERY_LANE])("drained, %s,", (lane) => {
    test("lets started batches finish, and starts no other", async () => {
      const begun = await batchOf(3);
      const waiting = await batchOf(2);
      await onlyClaim(begun.id);
      await drain(lane);
      expect(await subject.ledger.payout.lanePauses()).toMatchObject([
        { lane, finishing: [begun.id] },
      ]);
      expect(await claim(waiting.id)).toEqual([]);
      expect(await claim(begun.id)).toHaveLength(2);
      const [pausedLane] = await subject.ledger.payout.lanePauses();
      expect(pausedLane?.finishing).toEqual([]);
      await resume(lane);
      expect(await claim(waiting.id)).toHaveLength(2);
    });

    test("freezes if the freeze is newer, and starts no batch if the drain is newer", async () => {
      const begun = await batchOf(2);
      await onlyClaim(begun.id);
      await drain(lane);
      await pause(lane);
      expect(await claim(begun.id)).toEqual([]);
      const other = await batchOf(1);
      await drain(lane);
      expect(await claim(other.id)).toEqual([]);
      expect(await claim(begun.id)).toHaveLength(1);
    });
  });

  test("sends no payout while it drains and all lanes are frozen", async () => {
    const begun = await batchOf(2);
    await onlyClaim(begun.id);
    await drain();
    await pause(EVERY_LANE);
    expect(await claim(begun.id)).toEqual([]);
  });

  test("resends codes in doubt of batches that it lets finish", async () => {
    const { id } = await batchOf(1);
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    await drain();
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    expect(await subject.ledger.payout.reopenAttempt(claimOf(id), payout)).not.toBeNull();
  });

  test("takes the newer reason and end when paused again, and logs each change", async () => {
    await batchOf(1);
    await pause(INR, inMs(MINUTE_MS));
    await pause();
    const [only, ...others] = await subject.ledger.payout.lanePauses();
    expect(only).toMatchObject({ lane: INR, actor: "user:ops", until: null });
    expect(only?.reason).toBe("the bank called");
    expect(others).toEqual([]);
    await resume();
    expect((await subject.audit()).slice(-3)).toEqual([
      { actor: "user:ops", action: "pause_lane", object: INR },
      { actor: "user:ops", action: "pause_lane", object: INR },
      { actor: "user:boss", action: "resume_lane", object: INR },
    ]);
  });
});
