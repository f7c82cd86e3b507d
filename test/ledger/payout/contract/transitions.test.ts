import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Move } from "#ledger/ledger.ts";
import { LIFECYCLE, type PayoutEvent, type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { claimOf } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/** Guarantees of transitions, status queries, leases and callbacks, in both ledgers. */
describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, batchMove, moveOf, move, onlyClaim, theOnly, states, questions } =
    ledgerSteps(() => subject);

  describe("transitions", () => {
    test("F11 let one of many concurrent ones win, and keep the evidence of all", async () => {
      const { id } = await batchOf(1);
      const attempt = await onlyClaim(id);
      const moved = await Promise.all(
        Array.from({ length: 10 }, (_, mover) =>
          subject
            .another()
            .payout.move(
              moveOf(attempt, { event: mover % 2 ? "accept" : "doubt", reason: `mover ${mover}` }),
            ),
        ),
      );
      expect(moved.filter(Boolean)).toHaveLength(1);
      const payout = await theOnly();
      expect(payout).toMatchObject({ seq: 3, reason: `mover ${moved.indexOf(true)}` });
      expect(payout.evidence).toHaveLength(10);
      expect(payout.transitions).toHaveLength(3);
    });

    test("are answered individually within a shared commit, and move a payout once", async () => {
      const { id } = await batchOf(3);
      const [one, two, three] = await claim(id);
      if (!one || !two || !three) throw new Error("nothing claimed");
      const wrong = { ...two, seq: two.seq + 1 };
      expect(await Promise.all([move(one), move(one), move(wrong), move(three)])).toEqual([
        true,
        false,
        false,
        true,
      ]);
      expect(await states()).toEqual(["accepted", "submitting", "accepted"]);
    });

    test("without an event count status queries and repeated results", async () => {
      const { id } = await batchOf(1);
      const attempt = await onlyClaim(id);
      await move(attempt, { event: "doubt", reason: "no_answer", gatewayNumber: "WD1" });
      const doubt = { ...attempt, seq: attempt.seq + 1 };
      const heard = (what: Move["statusAnswer"], queryCount: number) =>
        move(doubt, {
          from: "in_doubt",
          event: null,
          statusAnswer: what ?? null,
          queryCount,
          dueInMs: 1_000,
          evidence: null,
        });
      const seen: unknown[] = [];
      for (const [asks, what] of (
        ["not_found", "not_found", "unclear", null, "unclear"] as const
      ).entries()) {
        expect(await heard(what, asks)).toBe(true);
        const { statusAnswer: last, statusAnswerTimes, queryCount: count } = await theOnly();
        seen.push([last, statusAnswerTimes, count]);
      }
      expect(seen).toEqual([
        ["not_found", 1, 1],
        ["not_found", 2, 2],
        ["unclear", 1, 3],
        ["unclear", 1, 4],
        ["unclear", 2, 5],
      ]);
      expect(await heard("unclear", 4)).toBe(false);
      expect(await theOnly()).toMatchObject({
        state: "in_doubt",
        seq: 3,
        reason: "no_answer",
        gatewayNumber: "WD1",
      });
      expect(await move(doubt, { from: "in_doubt", event: "accept", evidence: null })).toBe(true);
      expect(await theOnly()).toMatchObject({
        queryCount: 0,
        statusAnswer: null,
        statusAnswerTimes: 0,
        gatewayNumber: "WD1",
        maybeArrived: true,
      });
    });

    test("F57 track since when no query had a readable answer, until one has or the state changes", async () => {
      const { id } = await batchOf(1);
      const attempt = await onlyClaim(id);
      await move(attempt);
      const taken = { ...attempt, seq: attempt.seq + 1 };
      let queryCount = 0;
      const asked = async (change: Partial<Move>) => {
        const how = {
          from: "accepted",
          event: null,
          queryCount,
          evidence: null,
          ...change,
        } as const;
        expect(await move(taken, how)).toBe(true);
        queryCount += 1;
        return (await theOnly()).silentForMs;
      };
      expect((await theOnly()).silentForMs).toBeNull();
      expect(await asked({ silent: true })).toBeLessThan(MINUTE_MS);
      await subject.pass(2 * MINUTE_MS);
      expect(await asked({ silent: true })).toBeGreaterThanOrEqual(2 * MINUTE_MS);
      expect(await asked({})).toBeNull();
      expect(await asked({ silent: true })).toBeLessThan(MINUTE_MS);
      expect(await asked({ statusAnswer: "not_found" })).toBeNull();
      expect(await asked({ silent: true })).toBeLessThan(MINUTE_MS);
      expect(await move(taken, { from: "accepted", event: "settle", evidence: null })).toBe(true);
      expect((await theOnly()).silentForMs).toBeNull();
    });

    test("F57 clear the start of the period without an answer when the payout is sent again", async () => {
      const { id } = await batchOf(1);
      const attempt = await onlyClaim(id);
      await move(attempt, { event: "doubt" });
      const doubt = { payoutId: attempt.payoutId, seq: attempt.seq + 1 };
      await move(doubt, { from: "in_doubt", event: null, silent: true, evidence: null });
      expect((await theOnly()).silentForMs).not.toBeNull();
      expect(await subject.ledger.payout.reopenAttempt(claimOf(id), doubt)).not.toBeNull();
      expect((await theOnly()).silentForMs).toBeNull();
    });

    test("restart the clock of a refused payout, and reset its crashes after an answer", async () => {
      const { id } = await batchOf(1);
      const first = await onlyClaim(id);
      await subject.pass(MINUTE_MS + 1_000);
      expect(await subject.ledger.payout.expireLeases(id)).toBe(1);
      const again = await subject.ledger.payout.reopenAttempt(claimOf(id), {
        payoutId: first.payoutId,
        seq: 3,
      });
      if (!again) throw new Error("not claimed again");
      await subject.pass(10_000);
      const about = () => subject.ledger.payout.findStatusQuery(first.order.transactionCode);
      expect((await about())?.sinceFirstSentMs).toBeGreaterThan(70_000);
      expect((await about())?.sinceLastSentMs).toBeLessThan(30_000);
      await move(again, { event: "defer", evidence: { kind: "answer", attempt: 2, facts: {} } });
      expect(await about()).toMatchObject({
        state: "approved",
        sinceFirstSentMs: 0,
        crashes: 0,
        attempts: 2,
      });
    });

    test("I8 are refused when the lifecycle does not have them", async () => {
      const { id } = await batchOf(1);
      const attempt = await onlyClaim(id);
      const illegal = (Object.keys(LIFECYCLE) as PayoutEvent[]).flatMap((event) =>
        (Object.keys(STATES) as PayoutState[])
          .filter((from) => !LIFECYCLE[event].from.includes(from))
          .map((from) => move(attempt, { event, from })),
      );
      const answers = await Promise.allSettled(illegal);
      expect(answers.length).toBeGreaterThan(50);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["rejected"]));
      expect(await theOnly()).toMatchObject({ state: "submitting", seq: 2, evidence: [] });
    });
  });

  describe("status queries", () => {
    const accepted = async (count: number) => {
      const { id } = await batchOf(count);
      const attempts = await claim(id);
      await Promise.all(
        attempts.map((attempt, place) => move(attempt, { dueInMs: 10_000 * (count - place) })),
      );
      return id;
    };

    test("are taken once, oldest first, and due again after their lease", async () => {
      const id = await accepted(6);
      expect(await questions(id)).toEqual([]);
      await subject.pass(MINUTE_MS);
      const taken = await Promise.all([questions(id, 2), questions(id, 2)]);
      expect(new Set(taken.flat().map(({ payoutId }) => payoutId)).size).toBe(4);
      const ids = (await subject.payouts()).map((payout) => payout.id);
      const rest = await questions(id);
      expect(rest.map(({ payoutId }) => payoutId).toSorted((a, b) => a - b)).toEqual(
        ids.slice(0, 2),
      );
      expect(rest[0]).toMatchObject({
        batchId: id,
        lane: INR,
        state: "accepted",
        attempts: 1,
        queryCount: 0,
      });
      expect(await questions(id)).toEqual([]);
      await subject.pass(2 * MINUTE_MS);
      expect(await questions(id)).toHaveLength(6);
    });

    test("continue while the batch is paused, but not for a payout being sent", async () => {
      const id = await accepted(1);
      await batchMove(id, "pause");
      await subject.pass(MINUTE_MS);
      expect(await questions(id)).toHaveLength(1);
      const other = await batchOf(1);
      await claim(other.id, { leaseMs: 0 });
      expect(await questions(other.id)).toEqual([]);
      expect(await subject.ledger.payout.findStatusQuery("NOBODYS-CODE")).toBeNull();
    });

    test("F70 are moved forward by a callback while one is pending", async () => {
      const id = await accepted(2);
      const payouts = await subject.payouts();
      for (const payout of payouts) await subject.ledger.payout.makeStatusQueryDue(payout.id);
      const [first, second] = await questions(id);
      if (!first || !second) throw new Error("not asked for");
      await subject.ledger.payout.move({
        ...moveOf(first),
        from: "accepted",
        event: "settle",
        dueInMs: 60 * MINUTE_MS,
      });
      for (const payout of payouts) await subject.ledger.payout.makeStatusQueryDue(payout.id);
      expect((await questions(id)).map(({ payoutId }) => payoutId)).toEqual([second.payoutId]);
    });
  });

  test("F02 F13 counts an expired lease as a doubt and a crash, once", async () => {
    const { id } = await batchOf(2);
    await claim(id, { sizeMax: 1, leaseMs: 1_000 });
    await claim(id, { sizeMax: 1, leaseMs: 60 * MINUTE_MS });
    expect(await subject.ledger.payout.expireLeases(id)).toBe(0);
    await subject.pass(MINUTE_MS);
    expect(await subject.ledger.payout.expireLeases(id)).toBe(1);
    expect(await subject.ledger.payout.expireLeases(id)).toBe(0);
    const [lost, kept] = await subject.payouts();
    expect(lost).toMatchObject({
      state: "in_doubt",
      reason: "lease_expired",
      crashes: 1,
      maybeArrived: true,
      seq: 3,
    });
    expect(lost?.evidence).toEqual([
      { kind: "lease", attempt: 1, facts: { text: "no response recorded within the lease" } },
    ]);
    expect(lost?.transitions.at(-1)).toMatchObject({
      event: "doubt",
      reason: "lease_expired",
      actor: "sweep",
    });
    expect(kept).toMatchObject({ state: "submitting", crashes: 0, maybeArrived: false });
    expect(await subject.ledger.payout.inDoubtTotal(INR)).toMatchObject({ count: 1 });
    await batchMove(id, "pause");
    expect(await subject.ledger.payout.inDoubtTotal(INR)).toMatchObject({ count: 0 });
  });

  test("F71 F73 stores a callback once, and one with an unknown code separately", async () => {
    await batchOf(1);
    const { id } = await theOnly();
    const facts = { transactionCode: "PR1", state: "completed", amount: "100.00" };
    await Promise.all(
      [id, null, id, null, id, null].map((payoutId) =>
        subject.ledger.payout.recordCallback({ payoutId, facts }),
      ),
    );
    await subject.ledger.payout.recordCallback({
      payoutId: id,
      facts: { ...facts, amount: "1.00" },
    });
    expect((await theOnly()).evidence.map(({ kind }) => kind)).toEqual(["callback", "callback"]);
    expect(await subject.strays()).toEqual([facts]);
  });
});
