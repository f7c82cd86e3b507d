import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMoves } from "#ledger/payout/transitions.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

test("F49 stores a transition, and others with it, despite words that JSON in PostgreSQL cannot hold", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  const attempts = await open.ledger.payout.openAttempts(claimOf(id));
  const odd = ["nul \u0000 inside", "half of a pair \ud83d", "plain"];
  const moved = await makeMoves(
    open.database,
    attempts.map(({ payoutId, seq }, index) => ({
      payoutId,
      seq,
      from: "submitting",
      event: "doubt",
      reason: `no_answer: ${odd[index]}`,
      dueInMs: 0,
      actor: "test",
      gatewayNumber: odd[index] ?? null,
      evidence: { kind: "answer", attempt: 1, facts: { text: odd[index] } },
    })),
  );
  expect(moved).toEqual([true, true, true]);
});
