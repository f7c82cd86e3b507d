import type { BatchEvent, BatchState } from "#batch/lifecycle.ts";
import { BATCH_LIFECYCLE } from "#batch/lifecycle.ts";
import { moveBatch, type Progress, progressOf } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import { isFinal } from "#payout/lifecycle.ts";

/** How a batch ends whose payouts have these states; null while one of them is still open. */
function endingOf(progress: readonly Progress[]): BatchEvent | null {
  if (progress.length === 0 || progress.some(({ state }) => !isFinal(state))) return null;
  if (progress.every(({ state }) => state === "settled")) return "finish";
  return progress.every(({ state }) => state === "cancelled")
    ? "finish_cancelled"
    : "finish_with_exceptions";
}

/** Ends the batch when its last payout has ended, with the sums per state in the audit line. */
export async function finishBatch(
  database: Database,
  batchId: string,
  at: Date,
): Promise<BatchState | null> {
  const progress = await progressOf(database, batchId);
  const event = endingOf(progress);
  if (!event) return null;
  const facts = {
    payouts: progress.map(({ lane, state, count, sum }) => ({
      lane,
      state,
      count,
      minor: sum.minor.toString(),
    })),
  };
  const moved = await database
    .transaction()
    .execute((transaction) =>
      moveBatch(transaction, { id: batchId, event, reason: null, actor: "sweep", at, facts }),
    );
  return moved === null ? null : BATCH_LIFECYCLE[event].to;
}
