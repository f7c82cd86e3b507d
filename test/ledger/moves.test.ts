import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Move } from "#ledger/ledger.ts";
import { makeMoves } from "#ledger/moves.ts";
import { LIFECYCLE, type PayoutEvent, STATES } from "#payout/lifecycle.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";
import { query } from "../support/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

/** Payouts on the wire: claimed, with their attempts on record. */
async function submitting(count: number) {
  const { id } = await approvedBatch(open.ledger, rowsOf(count));
  return open.ledger.openAttempts(claimOf(id, { sizeMax: count }));
}

const moveOf = (payoutId: number, seq: number, change: Partial<Move> = {}): Move => ({
  payoutId,
  seq,
  from: "submitting",
  event: "accept",
  reason: null,
  dueInMs: 0,
  actor: "test",
  evidence: { kind: "answer", attempt: 1, facts: { text: "answered" } },
  ...change,
});

const storyOf = async (payoutId: number) => {
  const [payout] = await query(open.url, "select * from payouts where id = $1", [payoutId]);
  const evidence = await query(open.url, "select * from evidence where payout_id = $1", [payoutId]);
  const transitions = await query(
    open.url,
    "select event, from_state, to_state, seq from transitions where payout_id = $1 order by seq",
    [payoutId],
  );
  return { payout, evidence, transitions };
};

describe("a change of state", () => {
  test("F11 of fifty movers at once exactly one wins, and the evidence of all is kept", async () => {
    const [attempt] = await submitting(1);
    if (!attempt) throw new Error("nothing to move");
    const moved = await Promise.all(
      Array.from({ length: 50 }, (_, mover) =>
        // Past the group commit, so that they really meet in the database.
        makeMoves(open.database, [
          moveOf(attempt.payoutId, attempt.seq, {
            event: mover % 2 === 0 ? "accept" : "doubt",
            reason: `mover ${mover}`,
          }),
        ]),
      ),
    );
    expect(moved.flat().filter(Boolean)).toHaveLength(1);
    const winner = moved.findIndex(([won]) => won);
    const { payout, evidence, transitions } = await storyOf(attempt.payoutId);
    expect(payout).toMatchObject({ reason: `mover ${winner}`, seq: attempt.seq + 1 });
    expect(evidence).toHaveLength(50);
    expect(transitions).toHaveLength(3); // approve, send, and the one that won
  });

  test("two moves of one payout in the same commit: one wins", async () => {
    const [attempt] = await submitting(1);
    if (!attempt) throw new Error("nothing to move");
    const twice = [moveOf(attempt.payoutId, attempt.seq), moveOf(attempt.payoutId, attempt.seq)];
    const moved = await makeMoves(open.database, twice);
    const { payout, transitions } = await storyOf(attempt.payoutId);
    expect(payout).toMatchObject({ state: "accepted", seq: attempt.seq + 1 });
    expect(transitions).toHaveLength(3);
    expect(moved.filter(Boolean)).toHaveLength(1);
  });

  test("moves of many payouts share a commit and are answered in order", async () => {
    const attempts = await submitting(120);
    const moved = await Promise.all(
      attempts.map(({ payoutId, seq }, index) =>
        open.ledger.move(moveOf(payoutId, index % 3 === 0 ? seq + 1 : seq)),
      ),
    );
    expect(moved).toEqual(attempts.map((_, index) => index % 3 !== 0));
  });

  test.each(
    (Object.keys(LIFECYCLE) as PayoutEvent[]).flatMap((event) =>
      (Object.keys(STATES) as (keyof typeof STATES)[])
        .filter((from) => !LIFECYCLE[event].from.includes(from))
        .map((from) => [event, from] as const),
    ),
  )("I8 %s from %s is refused before the database is asked", async (event, from) => {
    await expect(makeMoves(open.database, [moveOf(1, 1, { event, from })])).rejects.toThrow(
      "illegal move",
    );
  });

  test("without an event only the next look and the count of questions change", async () => {
    const [attempt] = await submitting(1);
    if (!attempt) throw new Error("nothing to move");
    const { payoutId, seq } = attempt;
    expect(await open.ledger.move(moveOf(payoutId, seq, { event: null, dueInMs: 5_000 }))).toBe(
      true,
    );
    const { payout, transitions } = await storyOf(payoutId);
    expect(payout).toMatchObject({ state: "submitting", seq, asks: 1 });
    expect(transitions).toHaveLength(2);
  });

  test("F49 words that JSON in PostgreSQL cannot hold spoil neither their own move nor another", async () => {
    const attempts = await submitting(3);
    const odd = ["nul \u0000 inside", "half of a pair \ud83d", "plain"];
    const moved = await makeMoves(
      open.database,
      attempts.map(({ payoutId, seq }, index) =>
        moveOf(payoutId, seq, {
          event: "doubt",
          reason: `no_answer: ${odd[index]}`,
          gatewayNumber: odd[index] ?? null,
          evidence: { kind: "answer", attempt: 1, facts: { text: odd[index] } },
        }),
      ),
    );
    expect(moved).toEqual([true, true, true]);
  });
});
