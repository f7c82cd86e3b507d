import type { Move, OpenAttempt } from "#ledger/ledger.ts";
import { approvedBatch, claimOf, laneIn } from "./ledger.ts";
import { rowsOf } from "./servers/payrun.ts";
import type { Stored, Subject } from "./two-ledgers.ts";

export const INR = laneIn("INR");
export const MINUTE_MS = 60_000;

/** The gateway has accepted it, or the change says otherwise. */
export const moveOf = (
  { payoutId, seq }: Pick<OpenAttempt, "payoutId" | "seq">,
  change: Partial<Move> = {},
): Move => ({
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

/** Common steps of the ledger's contract tests. */
export function ledgerSteps(subjectOf: () => Subject) {
  const ledger = () => subjectOf().ledger;
  const batchOf = (count: number) => approvedBatch(ledger(), rowsOf(count));
  const claim = (batchId: string, change = {}) =>
    ledger().payout.openAttempts(claimOf(batchId, change));
  const batchMove = (batchId: string, event: "pause" | "resume") =>
    ledger().payout.moveBatch({ id: batchId, event, reason: null, actor: "test" });
  const move = (attempt: Pick<OpenAttempt, "payoutId" | "seq">, change: Partial<Move> = {}) =>
    ledger().payout.move(moveOf(attempt, change));
  const onlyClaim = async (batchId: string): Promise<OpenAttempt> => {
    const [attempt] = await claim(batchId, { sizeMax: 1 });
    if (!attempt) throw new Error("nothing claimed");
    return attempt;
  };
  const theOnly = async (): Promise<Stored> => {
    const [payout] = await subjectOf().payouts();
    if (!payout) throw new Error("no payout");
    return payout;
  };
  const states = async () => (await subjectOf().payouts()).map(({ state }) => state);
  const questions = (batchId: string, sizeMax = 50) =>
    ledger().payout.claimStatusQueries({ batchId, lane: INR, sizeMax, leaseMs: MINUTE_MS });

  return { ledger, batchOf, claim, batchMove, moveOf, move, onlyClaim, theOnly, states, questions };
}
