import {
  BATCH_LIFECYCLE,
  type BatchEvent,
  type BatchState,
} from "#intake/batch/batch-lifecycle.ts";
import { moveBatch } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { countProgress, mergeCounts, type Progress, progressOf } from "#ledger/payout/progress.ts";
import { makeMoves, type Move } from "#ledger/payout/transitions.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import { withSpan } from "#base/telemetry/spans.ts";

/**
 * Returns the final event of a batch whose payouts have these states, or null while a payout is in
 * progress.
 */
function finalEventOf(progress: readonly Progress[]): BatchEvent | null {
  if (progress.length === 0 || progress.some(({ state }) => !isFinal(state))) return null;
  if (progress.every(({ state }) => state === "settled")) return "finish";
  return progress.every(({ state }) => state === "cancelled")
    ? "finish_cancelled"
    : "finish_with_exceptions";
}

/**
 * Finishes the batch when its last payout has reached its final state. The audit line contains the
 * sums per state.
 */
export async function finishBatch(
  transaction: Database,
  batchId: string,
  at: Date,
): Promise<BatchState | null> {
  if (!finalEventOf(await progressOf(transaction, batchId))) return null;
  // Under the lock, because another transaction may be moving a finished payout. This counts the
  // rows themselves, for the audit log.
  await transaction
    .selectFrom("batches")
    .select("id")
    .where("id", "=", batchId)
    .forUpdate()
    .execute();
  const progress = await countProgress(transaction, batchId);
  const event = finalEventOf(progress);
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
  const span = { name: "finish batch", of: { batchId }, facts: { "payrun.outcome": event } };
  const moved = await withSpan(span, () => moveBatch(transaction, finish));
  if (moved !== null) await mergeCounts(transaction, batchId);
  return moved === null ? null : BATCH_LIFECYCLE[event].to;
}

/**
 * Moves a payout out of a final state, and its batch with it: a batch that finished without
 * exceptions does not stay so.
 */
export async function moveFinished(transaction: Database, move: Move, at: Date): Promise<boolean> {
  const [made = false] = await makeMoves(transaction, [move]);
  if (!made) return false;
  const { batch_id } = await transaction
    .selectFrom("payouts")
    .select("batch_id")
    .where("id", "=", move.payoutId)
    .executeTakeFirstOrThrow();
  // The progress is counted again when it is next requested.
  await transaction
    .updateTable("batches")
    .set({ outcome: null })
    .where("id", "=", batch_id)
    .execute();
  await finishBatch(transaction, batch_id, at);
  return true;
}
