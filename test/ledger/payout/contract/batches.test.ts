import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { approvedBatch, laneIn, ingestFile } from "../../../support/ledger.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

const THB = laneIn("THB");
const DAY_MS = 86_400_000;

/** Guarantees of batches, from the file to the final state, in both ledgers. */
describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { ledger, batchOf, claim, move, states, questions } = ledgerSteps(() => subject);
  const order = (id: string) => ({ id, reason: "because", actor: "test" });
  const audit = async () =>
    (await subject.audit()).map(({ actor, action }) => `${actor} ${action}`);

  describe("ingest", () => {
    test("stores lanes, sums, facts, rejected rows and the time", async () => {
      const rows = rowsOf(10, (index) => ({
        currency: index % 2 ? "INR" : "THB",
        amount: index === 9 ? "-1" : `${index + 1}.07`,
      }));
      const { batch } = await ingestFile(subject.ledger, fileText(rows));
      expect(batch).toMatchObject({
        state: "needs_correction",
        fileName: "test.csv",
        rows: 10,
        rejected: 1,
        reason: null,
        approvedAt: null,
        finishedAt: null,
        facts: { encoding: "UTF-8", delimiter: "," },
      });
      expect(
        new Map(batch.lanes.map(({ lane, rows: count, total }) => [lane, [count, total]])),
      ).toEqual(
        new Map([
          [INR, [4, { currency: "INR", minor: 2_028n, minorDigits: 2 }]],
          [THB, [5, { currency: "THB", minor: 2_535n, minorDigits: 2 }]],
        ]),
      );
      const { id, digest } = batch;
      expect(await ledger().payout.findBatch({ digest })).toEqual(batch);
      expect(await ledger().payout.findBatch({ id })).toEqual(batch);
      expect(await ledger().payout.findBatch({ id: "B0" })).toBeNull();
      expect((await subject.payouts()).map(({ line }) => line)).toEqual([
        2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
      expect(await audit()).toEqual(["maker ingest"]);
    });

    test("F08 F78 creates one batch from the same file uploaded concurrently, and none from a broken file", async () => {
      const text = fileText(rowsOf(20));
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => ingestFile(subject.another(), text)),
      );
      expect(new Set(taken.map(({ batch }) => batch.id)).size).toBe(1);
      expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1);
      await expect(ingestFile(subject.ledger, `${text}U,INR,1.00,"Asha`)).rejects.toThrow("quote");
      expect(await subject.payouts()).toHaveLength(20);
    });

    test("I5 assigns a code to the row that had it first", async () => {
      await ingestFile(subject.ledger, fileText([{ code: "OWN-1" }, { code: "OWN-2" }]));
      const { batch, problems } = await ingestFile(subject.ledger, fileText([{ code: "OWN-2" }]));
      expect(batch).toMatchObject({ state: "needs_correction", rejected: 1 });
      expect(problems.find(({ severity }) => severity === "error")?.code).toBe(
        "transaction_code_in_use",
      );
      const atOnce = await Promise.all(
        [1, 2].map(() => ingestFile(subject.another(), fileText([{ code: "SAME-1" }]))),
      );
      expect(atOnce.reduce((sum, each) => sum + each.batch.rejected, 0)).toBe(1);
    });

    test("F79 finds the same payment of the last days unless it was cancelled", async () => {
      const people = rowsOf(2, (index) => ({
        amount: "70.00",
        account: String(60_200_000_000 + index),
      }));
      const again = async () => {
        const { problems } = await ingestFile(subject.ledger, fileText(people));
        return problems.filter(({ code }) => code === "paid_lately").map(({ line }) => line);
      };
      const first = await ingestFile(subject.ledger, fileText(people));
      expect(await again()).toEqual([2, 3]);
      await subject.pass(8 * DAY_MS);
      expect(await again()).toEqual([]);
      expect(first.problems).toEqual([]);
    });
  });

  test("F105 approves once, with payouts and an audit line", async () => {
    const { batch } = await ingestFile(subject.ledger, fileText(rowsOf(3)));
    const approval = {
      actor: "checker",
      contentDigest: batch.contentDigest,
      totals: totalsOf(batch),
    };
    const answers = await Promise.all(
      [1, 2, 3].map(() => approve(batch.id, approval, { ledger: subject.another() })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await states()).toEqual(["approved", "approved", "approved"]);
    expect(await audit()).toEqual(["maker ingest", "checker approve"]);
    expect((await ledger().payout.findBatch({ id: batch.id }))?.approvedAt).toBeInstanceOf(Date);
  });

  test("I7 refuses approval with the digest of other content", async () => {
    const { batch } = await ingestFile(subject.ledger, fileText(rowsOf(1)));
    const move = { ...order(batch.id), event: "approve" } as const;
    const other = { ...move, contentDigest: "00".repeat(32) };
    expect(await ledger().payout.moveBatch(other)).toBeNull();
    expect(await states()).toEqual(["awaiting_approval"]);
    const { contentDigest } = batch;
    expect(await ledger().payout.moveBatch({ ...move, contentDigest })).toBe(1);
  });

  test("processes batches in order of approval, including paused ones", async () => {
    const [one, two] = [
      await batchOf(1),
      await approvedBatch(subject.ledger, [{ currency: "THB" }, {}]),
    ];
    await ingestFile(subject.ledger, fileText([{}]));
    await ledger().payout.moveBatch({ ...order(one.id), event: "pause" });
    const rest = { cancelling: false, priority: "normal", isRemainder: false };
    const working = { ...rest, isDue: false, isAtRest: false };
    expect(await ledger().payout.workingBatches()).toEqual([
      { id: one.id, lanes: [INR], paused: true, ...working },
      { id: two.id, lanes: [INR, THB].toSorted(), paused: false, ...working },
    ]);
    expect(await ledger().payout.moveBatch({ ...order(one.id), event: "pause" })).toBeNull();
    expect(await ledger().payout.findBatch({ id: one.id })).toMatchObject({
      state: "paused",
      reason: "because",
    });
  });

  test("is idle while everything is sent and no query is due, with no expired leases", async () => {
    const { id } = await approvedBatch(subject.ledger, [{ currency: "THB" }, {}]);
    const look = async () => {
      const [{ isDue, isAtRest } = {}] = await ledger().payout.workingBatches();
      return [isDue, isAtRest];
    };
    const [first] = await claim(id, { leaseMs: MINUTE_MS });
    expect(await look()).toEqual([false, false]);
    const [second] = await claim(id, { lane: THB, leaseMs: MINUTE_MS });
    if (!first || !second) throw new Error("not claimed");
    expect(await look()).toEqual([false, true]);
    await subject.pass(2 * MINUTE_MS);
    expect(await look()).toEqual([true, false]);
    await move(first, { event: "accept", dueInMs: 3 * MINUTE_MS });
    expect(await look()).toEqual([true, false]);
    await move(second, { event: "decline" });
    expect(await look()).toEqual([false, true]);
    await subject.pass(4 * MINUTE_MS);
    expect(await look()).toEqual([true, false]);
    await move({ ...first, seq: first.seq + 1 }, { from: "accepted", event: "settle" });
    expect(await look()).toEqual([false, false]);
  });

  test("counts due work up to a limit, and reports what is open", async () => {
    const { id } = await batchOf(5);
    const due = (sizeMax: number) => ledger().payout.dueWork(id, INR, sizeMax);
    expect(await due(100)).toEqual({ toSend: 5, toQuery: 0, open: true });
    expect(await due(3)).toEqual({ toSend: 3, toQuery: 0, open: true });
    const attempts = await claim(id, { sizeMax: 3, leaseMs: MINUTE_MS });
    expect(await due(100)).toEqual({ toSend: 2, toQuery: 0, open: true });
    await subject.pass(2 * MINUTE_MS);
    expect(await due(100)).toEqual({ toSend: 2, toQuery: 3, open: true });
    for (const attempt of [...attempts, ...(await claim(id))])
      await move(attempt, { event: "decline" });
    const none = { toSend: 0, toQuery: 0, open: false };
    expect([await due(100), await ledger().payout.dueWork(id, THB, 9)]).toEqual([none, none]);
  });

  describe("cancellation", () => {
    test("covers the whole batch before its approval", async () => {
      const { batch } = await ingestFile(subject.ledger, fileText(rowsOf(2)));
      expect(await ledger().payout.moveBatch({ ...order(batch.id), event: "cancel" })).toBe(2);
      expect(await states()).toEqual(["cancelled", "cancelled"]);
      expect(await ledger().payout.findBatch({ id: batch.id })).toMatchObject({
        state: "cancelled",
      });
    });

    test("F106 covers the rest afterwards: unsent payouts, and those that return unsent", async () => {
      const { id } = await batchOf(4);
      const [one, two] = await claim(id, { sizeMax: 2 });
      if (!one || !two) throw new Error("nothing claimed");
      expect(await ledger().payout.cancelRest(order(id))).toBe(2);
      expect(await states()).toEqual(["submitting", "submitting", "cancelled", "cancelled"]);
      expect(await ledger().payout.workingBatches()).toMatchObject([
        { paused: true, cancelling: true },
      ]);
      await move(one, { event: "defer" });
      await move(two, { event: "doubt", reason: "no_answer" });
      expect(await ledger().payout.cancelDeferred(id)).toBe(1);
      expect(await states()).toEqual(["cancelled", "in_doubt", "cancelled", "cancelled"]);
      expect((await subject.payouts())[0]).toMatchObject({ reason: "cancelled", seq: 4 });
      expect(await ledger().payout.finishBatch(id)).toBeNull();
      expect(await audit()).toEqual(["maker ingest", "checker approve", "test cancel_rest"]);
    });

    test("prevents sending, even after the batch is resumed", async () => {
      const { id } = await batchOf(2);
      const [one] = await claim(id, { sizeMax: 1 });
      if (!one) throw new Error("nothing claimed");
      await ledger().payout.cancelRest(order(id));
      await move(one, { event: "defer" });
      await ledger().payout.moveBatch({ id, event: "resume", reason: null, actor: "test" });
      expect(await claim(id)).toEqual([]);
      expect(await ledger().payout.cancelDeferred(id)).toBe(1);
    });

    test("is refused for a finished batch or one awaiting approval", async () => {
      const { batch } = await ingestFile(subject.ledger, fileText([{}]));
      expect(await ledger().payout.cancelRest(order(batch.id))).toBeNull();
    });
  });

  test.each([
    [["settle", "settle"], "finished"],
    [["settle", "decline"], "finished_with_exceptions"],
    [["cancel", "cancel"], "cancelled"],
  ] as const)("finishes with its payouts, by %j as %s", async (events, state) => {
    const { id } = await batchOf(2);
    expect(await ledger().payout.finishBatch(id)).toBeNull();
    if (events[0] === "cancel") await ledger().payout.cancelRest(order(id));
    else {
      for (const attempt of await claim(id)) await move(attempt);
      for (const [place, question] of (await questions(id)).entries()) {
        const event = events[place] ?? null;
        await move(question, { from: "accepted", event });
      }
    }
    const progress = await ledger().payout.progressOf(id);
    expect(progress.reduce((sum, part) => sum + part.count, 0)).toBe(2);
    expect(progress.reduce((sum, part) => sum + part.sum.minor, 0n)).toBe(20_000n);
    expect(await ledger().payout.finishBatch(id)).toBe(state);
    expect(await ledger().payout.finishBatch(id)).toBeNull();
    expect((await ledger().payout.findBatch({ id }))?.finishedAt).toBeInstanceOf(Date);
    expect((await audit()).at(-1)).toMatch(/^sweep finish/);
  });

  test("F26 F70 sends and cancels no payout while frozen, until all payouts in progress were queried", async () => {
    const { id } = await batchOf(2);
    const [one] = await claim(id, { sizeMax: 1 });
    if (!one) throw new Error("nothing claimed");
    const epoch = await ledger().integrity.freeze({ reason: "drill", actor: "test" });
    expect(epoch).toBe(2);
    expect(await ledger().integrity.verify()).toMatchObject({ epoch: 2, reason: "drill" });
    expect(await claim(id)).toEqual([]);
    expect(await ledger().payout.cancelRest(order(id))).toBeNull();
    const thaw = () => ledger().integrity.unfreeze({ epoch: 2, reason: "asked", actor: "test" });
    expect(await thaw()).toBe(false);
    expect(await ledger().integrity.laneProgress()).toEqual([{ lane: INR, open: 2, unqueried: 2 }]);
    const unsent = await ledger().integrity.claimUnsent({ after: 0, sizeMax: 9, leaseMs: 1_000 });
    expect(unsent).toMatchObject([{ state: "approved", lane: INR }]);
    const asked = { event: null, answered: true } as const;
    for (const question of unsent) await move(question, { ...asked, from: "approved" });
    await move(one, asked);
    expect(await ledger().integrity.laneProgress()).toEqual([{ lane: INR, open: 2, unqueried: 0 }]);
    expect(await thaw()).toBe(true);
    expect(await ledger().integrity.verify()).toBeNull();
    // Another history may have sent it, whatever one answer said.
    expect(await claim(id)).toMatchObject([{ number: 1, maybeArrived: true }]);
    expect(await audit()).toEqual([
      "maker ingest",
      "checker approve",
      "test freeze",
      "test unfreeze",
    ]);
  });

  test("lets one process at a time work under a lock", async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<string>();
    const held = subject.ledger.withLock("sweep", () => {
      entered.resolve();
      return released.promise;
    });
    await entered.promise;
    expect(await subject.another().withLock("sweep", async () => "theirs")).toBeNull();
    expect(await subject.another().withLock("other", async () => "other lock")).toBe("other lock");
    released.resolve("mine");
    expect(await held).toBe("mine");
    expect(await subject.another().withLock("sweep", async () => "theirs")).toBe("theirs");
    await expect(
      subject.ledger.withLock("sweep", () => Promise.reject(new Error("broke"))),
    ).rejects.toThrow("broke");
    expect(await subject.ledger.withLock("sweep", async () => "free again")).toBe("free again");
  });
});
