import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyPayoutAction,
  decidePayoutAction,
  previewPayoutAction,
} from "#flows/payout/payout-actions.ts";
import type { BulkAction } from "#payout/action/payout-action.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { ledgerSteps, INR } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/** Guarantees of actions on many payouts, in both ledgers. */
describe.each(LEDGERS)("a ledger in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { ledger, batchOf, claim, move, states } = ledgerSteps(() => subject);

  const preview = async (
    action: BulkAction,
    filter: { batchId?: string; states?: readonly PayoutState[]; ids?: readonly number[] },
    actor = "operator",
  ) => {
    const made = await previewPayoutAction(
      { action, filter, selection: {}, actor },
      { ledger: ledger() },
    );
    if (!made.ok) throw new Error(made.error);
    return made.value;
  };
  const apply = async (id: string, actor = "operator") =>
    applyPayoutAction({ id, actor, reason: "the supplier called" }, { ledger: ledger() });
  const act = async (action: BulkAction, filter: Parameters<typeof preview>[1]) => {
    const { id } = await preview(action, filter);
    const applied = await apply(id);
    if (!applied.ok) throw new Error(applied.error);
    return applied.value;
  };
  const idsOf = async (...places: number[]) =>
    (await subject.payouts()).filter((_, place) => places.includes(place)).map(({ id }) => id);

  test("shows what would change, and changes nothing before it is applied", async () => {
    const { id } = await batchOf(5);
    await claim(id, { sizeMax: 2 });
    const seen = await preview("hold_back", { batchId: id });
    expect(seen).toMatchObject({
      state: "previewed",
      selected: 5,
      qualifying: {
        count: 3,
        totals: [{ count: 3, sum: { currency: "INR", minor: 30_000n, minorDigits: 2 } }],
      },
      excluded: [{ reason: "being_sent", count: 2 }],
      changed: null,
      digest: null,
    });
    expect(await states()).toEqual([
      "submitting",
      "submitting",
      "approved",
      "approved",
      "approved",
    ]);
  });

  test("I15 holds back exactly the previewed payouts that still qualify, and reports the others", async () => {
    const { id } = await batchOf(4);
    const seen = await preview("hold_back", { batchId: id });
    await claim(id, { sizeMax: 1 });
    const applied = await apply(seen.id);
    expect(applied).toMatchObject({
      ok: true,
      value: {
        state: "applied",
        reason: "the supplier called",
        changed: { count: 3 },
        left: [{ reason: "being_sent", count: 1 }],
      },
    });
    expect(await states()).toEqual(["submitting", "held_back", "held_back", "held_back"]);
    const [, held] = await subject.payouts();
    expect(held).toMatchObject({
      seq: 2,
      reason: "held_back: the supplier called",
      transitions: [
        { event: "approve" },
        { event: "hold_back", from: "approved", to: "held_back", actor: "operator" },
      ],
    });
    const lines = (await subject.audit()).filter(({ action }) => action === "apply_payout_action");
    expect(lines).toEqual([{ actor: "operator", action: "apply_payout_action", object: seen.id }]);
  });

  test("does not send what is held back, and sends it once it is released", async () => {
    const { id } = await batchOf(3);
    await act("hold_back", { batchId: id });
    expect(await claim(id)).toEqual([]);
    expect(await ledger().payout.dueWork(id, INR, 10)).toEqual({
      toSend: 0,
      toQuery: 0,
      open: true,
    });
    expect(await ledger().payout.finishBatch(id)).toBeNull();
    await act("release", { ids: await idsOf(1) });
    expect(await ledger().payout.dueWork(id, INR, 10)).toMatchObject({ toSend: 1 });
    expect(await claim(id)).toHaveLength(1);
    expect(await states()).toEqual(["held_back", "submitting", "held_back"]);
  });

  test("cancels unsent and held-back payouts, never one that may have been sent", async () => {
    const { id } = await batchOf(4);
    await act("hold_back", { ids: await idsOf(2) });
    await claim(id, { sizeMax: 1 });
    const done = await act("cancel", { batchId: id });
    expect(done).toMatchObject({ changed: { count: 3 }, left: [] });
    expect(await states()).toEqual(["submitting", "cancelled", "cancelled", "cancelled"]);
    expect((await act("release", { batchId: id })).changed?.count).toBe(0);
  });

  test("finishes a batch whose last payouts are cancelled", async () => {
    const { id } = await batchOf(2);
    await act("hold_back", { batchId: id });
    await act("cancel", { batchId: id, states: ["held_back"] });
    expect(await ledger().payout.findBatch({ id })).toMatchObject({ state: "cancelled" });
  });

  test("cancelling the rest of a batch also cancels what is held back", async () => {
    const { id } = await batchOf(2);
    await act("hold_back", { ids: await idsOf(0) });
    const rest = { id, reason: null, actor: "operator" };
    expect(await ledger().payout.cancelRest(rest)).toBe(2);
    expect(await states()).toEqual(["cancelled", "cancelled"]);
  });

  test("does not hold back a payout of a batch whose rest was cancelled", async () => {
    const { id } = await batchOf(2);
    const [attempt] = await claim(id, { sizeMax: 1 });
    const seen = await preview("hold_back", { batchId: id });
    await ledger().payout.cancelRest({ id, reason: null, actor: "operator" });
    if (attempt) await move(attempt, { event: "defer" });
    expect((await preview("hold_back", { batchId: id })).qualifying.count).toBe(0);
    expect(await apply(seen.id)).toMatchObject({
      value: { changed: { count: 0 }, left: [{ reason: "finished", count: 1 }] },
    });
  });

  test("I15 leaves a payout that moved and came back since the preview", async () => {
    const { id } = await batchOf(1);
    const seen = await preview("cancel", { batchId: id });
    const [attempt] = await claim(id);
    if (attempt) await move(attempt, { event: "defer" });
    expect(await states()).toEqual(["approved"]);
    expect(await apply(seen.id)).toMatchObject({
      value: { changed: { count: 0, totals: [] }, left: [{ reason: "moved", count: 1 }] },
    });
  });

  test("I15 applies an action once, even if the request is repeated", async () => {
    const { id } = await batchOf(2);
    const seen = await preview("hold_back", { batchId: id });
    const first = await apply(seen.id);
    await act("release", { batchId: id });
    expect(await apply(seen.id)).toEqual(first);
    expect(await states()).toEqual(["approved", "approved"]);
    const together = await preview("hold_back", { batchId: id });
    const both = await Promise.all([apply(together.id), apply(together.id)]);
    expect(both[0]).toEqual(both[1]);
    expect((await subject.payouts()).map(({ seq }) => seq)).toEqual([4, 4]);
  });

  test("is applied only by the person who previewed it, and only for a while", async () => {
    const { id } = await batchOf(1);
    const seen = await preview("hold_back", { batchId: id });
    expect(await apply(seen.id, "somebody")).toEqual({ ok: false, error: "not_own_preview" });
    expect(await apply("PA0")).toEqual({ ok: false, error: "not_found" });
    expect(await states()).toEqual(["approved"]);
  });

  test("makes status queries due of everything that was sent and has no result", async () => {
    const { id } = await batchOf(4);
    const [first, second] = await claim(id, { sizeMax: 3 });
    if (first) await move(first, { dueInMs: 3_600_000 });
    if (second) await move(second, { event: "doubt", dueInMs: 3_600_000 });
    expect(await ledger().payout.dueWork(id, INR, 10)).toMatchObject({ toQuery: 0 });
    const done = await act("query", { batchId: id });
    expect(done).toMatchObject({
      qualifying: { count: 2 },
      excluded: expect.arrayContaining([
        { reason: "being_sent", count: 1 },
        { reason: "not_sent", count: 1 },
      ]),
      changed: { count: 2 },
    });
    expect(await ledger().payout.dueWork(id, INR, 10)).toMatchObject({ toQuery: 2 });
    expect(await states()).toEqual(["accepted", "in_doubt", "submitting", "approved"]);
  });

  test("binds the list of changed payouts by its digest", async () => {
    const { id } = await batchOf(3);
    const codes = (await claim(id, { sizeMax: 3 })).map(({ order }) => order.transactionCode);
    for (const attempt of await subject.payouts()) {
      const payout = { payoutId: attempt.id, seq: attempt.seq };
      await move(payout);
    }
    const done = await act("query", { batchId: id });
    const list = codes.toSorted().map((code) => `${code} INR 10000 accepted accepted`);
    expect(done.digest).toBe(createHash("sha256").update(list.join("\n")).digest("hex"));
  });

  /** Puts payouts in doubt without an answer, and returns their codes. */
  const inDoubt = async (count: number): Promise<string[]> => {
    const { id } = await batchOf(count);
    const opened = await claim(id, { sizeMax: count });
    for (const attempt of opened) await move(attempt, { event: "doubt", reason: "no_answer" });
    return opened.map(({ order }) => order.transactionCode);
  };
  const decide = (id: string, agree: boolean) =>
    decidePayoutAction(
      { id, actor: "user:US1", agree, reason: agree ? null : "another account" },
      { ledger: ledger() },
    );

  test("I9 resolves payouts by their lines on a statement, after a second person agrees", async () => {
    const [paid = "", failed = "", back = ""] = await inDoubt(5);
    await subject.addApprover();
    await subject.list(paid, "completed");
    await subject.list(failed, "failed");
    await subject.list(back, "completed");
    await subject.list(back, "returned");
    const proposed = await act("resolve", { states: ["in_doubt"] });
    expect(proposed).toMatchObject({
      state: "proposed",
      qualifying: { count: 3 },
      excluded: [{ reason: "not_listed", count: 2 }],
      changed: { count: 3 },
      left: [],
    });
    expect(new Set(await states())).toEqual(new Set(["in_doubt"]));
    expect(await decide(proposed.id, true)).toMatchObject({
      value: { state: "applied", changed: { count: 3 }, left: [] },
    });
    const found = await subject.payouts();
    expect(found.map(({ state, reason }) => [state, reason?.split(":")[0]])).toEqual([
      ["resolved", "resolved_arrived"],
      ["resolved", "resolved_not_arrived"],
      ["resolved", "resolved_not_arrived"],
      ["in_doubt", "no_answer"],
      ["in_doubt", "no_answer"],
    ]);
    expect(await decide(proposed.id, true)).toMatchObject({ value: { state: "applied" } });
    expect(await decide(proposed.id, false)).toEqual({ ok: false, error: "wrong_state" });
  });

  test("I15 leaves a payout whose lines or state have changed since the proposal", async () => {
    const [moved = "", listed = "", stays = ""] = await inDoubt(3);
    await subject.addApprover();
    for (const code of [moved, listed, stays]) await subject.list(code, "completed");
    const { id } = await act("resolve", { states: ["in_doubt"] });
    const [first] = await subject.payouts();
    if (first) {
      await ledger().payout.move({
        payoutId: first.id,
        seq: first.seq,
        from: "in_doubt",
        event: "accept",
        reason: null,
        dueInMs: 0,
        actor: "worker",
        evidence: null,
      });
    }
    await subject.list(listed, "completed");
    const decided = await decide(id, true);
    if (!decided.ok) throw new Error(decided.error);
    expect(decided.value).toMatchObject({ changed: { count: 1 } });
    expect((decided.value.left ?? []).map(({ reason }) => reason).toSorted()).toEqual([
      "listed_twice",
      "not_resolvable",
    ]);
    expect(await states()).toEqual(["accepted", "in_doubt", "resolved"]);
  });

  test("I15 changes nothing if the second person rejects", async () => {
    const [code = ""] = await inDoubt(1);
    await subject.addApprover();
    await subject.list(code, "completed");
    const { id } = await act("resolve", { states: ["in_doubt"] });
    expect(await decide(id, false)).toMatchObject({
      value: { state: "rejected", decision: "another account" },
    });
    expect(await states()).toEqual(["in_doubt"]);
    expect(await decide(id, true)).toEqual({ ok: false, error: "wrong_state" });
  });
});
