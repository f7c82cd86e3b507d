import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimOf, laneIn } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/** Guarantees of a claim, in the product's ledger and in the simulation's in-memory ledger. */
describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, batchMove, move, onlyClaim, theOnly } = ledgerSteps(() => subject);

  describe("claims", () => {
    test("I4 record an attempt for each payout, in line order", async () => {
      const { id } = await batchOf(5);
      const attempts = [...(await claim(id, { sizeMax: 2 })), ...(await claim(id))];
      const payouts = await subject.payouts();
      expect(attempts.map(({ payoutId }) => payoutId)).toEqual(payouts.map((each) => each.id));
      expect(payouts.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
      expect(attempts[0]).toMatchObject({
        seq: 2,
        number: 1,
        lane: INR,
        intact: true,
        maybeArrived: false,
        isRestored: false,
        mayBeForgotten: false,
        isProbe: false,
        order: { money: { currency: "INR", minor: 10_000n, minorDigits: 2 }, payoutCode: null },
      });
      expect(payouts[0]).toMatchObject({
        state: "submitting",
        seq: 2,
        attempts: 1,
        attempted: [{ number: 1, worker: "test", keyId: "k1" }],
        transitions: [
          {
            seq: 1,
            event: "approve",
            from: "awaiting_approval",
            to: "approved",
            reason: null,
            actor: "checker",
          },
          {
            seq: 2,
            event: "send",
            from: "approved",
            to: "submitting",
            reason: null,
            actor: "test",
          },
        ],
      });
      expect(await claim(id)).toEqual([]);
    });

    test("F11 never give one payout to two workers", async () => {
      const { id } = await batchOf(60);
      const workers = Array.from({ length: 12 }, () => subject.another());
      const claims = workers.map((ledger, worker) =>
        ledger.payout.openAttempts(claimOf(id, { sizeMax: 7, worker: `w${worker}` })),
      );
      const ids = (await Promise.all(claims)).flat().map(({ payoutId }) => payoutId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length + (await claim(id)).length).toBe(60);
    });

    test("skip payouts that are not due, of another lane, or paused", async () => {
      const { id } = await batchOf(2);
      const attempt = await onlyClaim(id);
      await move(attempt, { event: "defer", dueInMs: MINUTE_MS });
      expect(await claim(id, { lane: laneIn("THB") })).toEqual([]);
      expect(await batchMove(id, "pause")).toBe(0);
      expect(await claim(id)).toEqual([]);
      expect(await batchMove(id, "resume")).toBe(0);
      expect(await claim(id)).toHaveLength(1);
      await subject.pass(2 * MINUTE_MS);
      expect(await claim(id)).toMatchObject([{ payoutId: attempt.payoutId, number: 2, seq: 4 }]);
    });
  });

  describe("F59 a stopped lane", () => {
    const stop = (until: "wait" | "person" | "answers", afterMs?: number) =>
      subject.ledger.payout.stopLane(INR, {
        until,
        reason: "no balance",
        ...(afterMs ? { afterMs } : {}),
      });

    test("yields no payout, then one as a probe, and the rest once it is open", async () => {
      const { id } = await batchOf(5);
      expect(await stop("wait")).toBe(true);
      expect(await claim(id)).toEqual([]);
      await subject.pass(2_000);
      expect(await claim(id)).toMatchObject([{ isProbe: true }]);
      expect(await claim(id)).toEqual([]);
      expect(await subject.ledger.payout.openLanes([INR, "other/lane"])).toEqual([INR]);
      expect(await subject.ledger.payout.openLanes([INR])).toEqual([]);
      expect(await claim(id)).toHaveLength(4);
    });

    test("is opened by a person, with a log line for each stopped lane", async () => {
      await batchOf(1);
      await stop("person");
      const by = { actor: "ops", reason: "topped up" };
      expect(await subject.ledger.payout.openLanes([INR, "other/lane"], by)).toEqual([INR]);
      const opened = (await subject.audit()).filter(({ action }) => action === "open_lane");
      expect(opened).toEqual([{ actor: "ops", action: "open_lane", object: INR }]);
    });

    test("is stopped once by many answers, and for twice as long each following time", async () => {
      const stops = await Promise.all(Array.from({ length: 20 }, () => stop("wait")));
      expect(stops.filter(Boolean)).toHaveLength(1);
      const waits: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        await subject.pass(1_000);
        await stop("wait");
        const [lane] = await subject.ledger.payout.stoppedLanes();
        waits.push(Math.round((Number(lane?.retryAt) - Number(lane?.stoppedAt)) / 1_000));
      }
      expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    });

    test("waits as long as the gateway asks, and again from one second after it was open", async () => {
      const { id } = await batchOf(2);
      await stop("wait", 10 * MINUTE_MS);
      await subject.pass(9 * MINUTE_MS);
      expect(await claim(id)).toEqual([]);
      await subject.pass(2 * MINUTE_MS);
      expect(await claim(id)).toMatchObject([{ isProbe: true }]);
      await subject.ledger.payout.openLanes([INR]);
      expect(await stop("wait")).toBe(true);
      await subject.pass(1_500);
      expect(await claim(id)).toMatchObject([{ isProbe: true }]);
    });

    test.each(["person", "answers"] as const)(
      "that needs %s is never probed automatically",
      async (needs) => {
        const { id } = await batchOf(1);
        await stop(needs);
        await subject.pass(60 * MINUTE_MS);
        expect(await claim(id)).toEqual([]);
        expect(await subject.ledger.payout.stoppedLanes()).toMatchObject([
          { lane: INR, reason: "no balance", needs, retryAt: null },
        ]);
      },
    );

    test("keeps its probe from batches that are paused or have nothing to send", async () => {
      const [paused, empty, other] = [await batchOf(1), await batchOf(1), await batchOf(1)];
      await claim(empty.id);
      await batchMove(paused.id, "pause");
      await stop("wait");
      await subject.pass(2_000);
      expect(await claim(paused.id)).toEqual([]);
      expect(await claim(empty.id)).toEqual([]);
      expect(await claim(other.id)).toMatchObject([{ isProbe: true }]);
    });
  });

  describe("resending a code in doubt", () => {
    const doubtful = async () => {
      const { id } = await batchOf(1);
      const first = await onlyClaim(id);
      await move(first, { event: "doubt", reason: "no_answer" });
      const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
      return { id, first, payout };
    };

    test("F55 is claimed by one worker, with the same order", async () => {
      const { id, first, payout } = await doubtful();
      const claims = await Promise.all(
        Array.from({ length: 8 }, () =>
          subject.another().payout.reopenAttempt(claimOf(id), payout),
        ),
      );
      const won = claims.filter((attempt) => attempt !== null);
      expect(won).toMatchObject([
        { number: 2, seq: 4, maybeArrived: true, intact: true, order: first.order },
      ]);
      expect((await theOnly()).attempted).toHaveLength(2);
    });

    test("waits for its batch and its lane, but not for a lane stopped because of answers", async () => {
      const { id, payout } = await doubtful();
      const reopen = () => subject.ledger.payout.reopenAttempt(claimOf(id), payout);
      await batchMove(id, "pause");
      expect(await reopen()).toBeNull();
      await batchMove(id, "resume");
      await subject.ledger.payout.stopLane(INR, { until: "person", reason: "wrong key" });
      expect(await reopen()).toBeNull();
      await subject.ledger.payout.openLanes([INR], { actor: "ops", reason: "mended" });
      await subject.ledger.payout.stopLane(INR, { until: "answers", reason: "too many" });
      expect(await reopen()).toMatchObject({ number: 2, isProbe: false });
    });

    test("probes a lane whose wait has ended", async () => {
      const { id, payout } = await doubtful();
      await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "no balance" });
      expect(await subject.ledger.payout.reopenAttempt(claimOf(id), payout)).toBeNull();
      await subject.pass(2_000);
      expect(await subject.ledger.payout.reopenAttempt(claimOf(id), payout)).toMatchObject({
        isProbe: true,
      });
    });
  });
});
