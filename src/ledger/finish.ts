import { BATCH_LIFECYCLE, type BatchEvent, type BatchState } from "#batch/lifecycle.ts";
import { moveBatch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import { type Progress, progressOf } from "#ledger/progress.ts";
import { makeMoves, type Move } from "#ledger/moves.ts";
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
  transaction: Database,
  batchId: string,
  at: Date,
): Promise<BatchState | null> {
  const progress = await progressOf(transaction, batchId);
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
  const finish = { id: batchId, event, reason: null, actor: "sweep", at, facts };
  const moved = await moveBatch(transaction, finish);
  return moved === null ? null : BATCH_LIFECYCLE[event].to;
}

/** Moves a payout that had ended, and its batch with it: a batch that ended clean does not stay so. */
export async function moveEnded(transaction: Database, move: Move, at: Date): Promise<boolean> {
  const [made = false] = await makeMoves(transaction, [move]);
  if (!made) return false;
  const { batch_id } = await transaction
    .selectFrom("payouts")
    .select("batch_id")
    .where("id", "=", move.payoutId)
    .executeTakeFirstOrThrow();
  // It is counted anew when somebody looks.
  await transaction
    .updateTable("batches")
    .set({ outcome: null })
    .where("id", "=", batch_id)
    .execute();
  await finishBatch(transaction, batch_id, at);
  return true;
}
