import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { Freeze, PayingLedger } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#base/result.ts";

export type ControlRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: BatchState }
  | { readonly kind: "frozen"; readonly freeze: Freeze }
  | { readonly kind: "content_changed" }
  | { readonly kind: "no_canary" }
  /** The batch is paused because its canary has not settled. */
  | { readonly kind: "canary_failed"; readonly reason: string };

interface BatchOrder {
  readonly batchId: string;
  readonly actor: string;
  readonly reason: string | null;
}

/**
 * Pauses a batch. The answers of requests in flight are recorded, and payouts that were sent are
 * still followed.
 */
export async function pauseBatch(
  order: BatchOrder,
  ledger: PayingLedger,
): Promise<Result<true, ControlRefusal>> {
  return moveOrRefuse("pause", order, ledger);
}

/**
 * Resumes a paused batch. A lane that a circuit breaker or a person stopped stays stopped, because
 * other batches use it too: a person restarts or resumes the lane itself.
 */
export async function resumeBatch(
  order: BatchOrder,
  ledger: PayingLedger,
): Promise<Result<true, ControlRefusal>> {
  const batch = await ledger.payout.findBatch({ id: order.batchId });
  if (!batch) return err({ kind: "not_found" });
  if (batch.state !== "paused") return err({ kind: "wrong_state", state: batch.state });
  const failed = (await ledger.payout.canaries(batch.id)).find(
    (canary) => canary.failed !== null && canary.releasedAt === null,
  );
  if (failed) return err({ kind: "canary_failed", reason: failed.failed ?? "" });
  return moveOrRefuse("resume", order, ledger);
}

/**
 * Cancels the payouts that have not been sent. A batch of which no payout was sent is itself
 * cancelled; any other batch finishes with its last payout. A payout that may have arrived at the
 * gateway is never cancelled.
 *
 * @param order with the content digest of the batch as the person saw it, if it is known.
 */
export async function cancelBatch(
  order: BatchOrder & { readonly contentDigest?: string | undefined },
  ledger: PayingLedger,
): Promise<Result<{ readonly cancelled: number; readonly state: BatchState }, ControlRefusal>> {
  const { batchId: id, actor, reason, contentDigest } = order;
  const freeze = await ledger.integrity.verify();
  if (freeze) return err({ kind: "frozen", freeze });
  const move = { id, event: "cancel", reason, actor } as const;
  const whole = await ledger.payout.moveBatch({ ...move, ...(contentDigest && { contentDigest }) });
  if (whole !== null) return ok({ cancelled: whole, state: "cancelled" });
  const found = await ledger.payout.findBatch({ id });
  if (found && contentDigest !== undefined && found.contentDigest !== contentDigest) {
    return err({ kind: "content_changed" });
  }

  const rest = await ledger.payout.cancelRest({ id, reason, actor });
  const ended = rest === null ? null : await ledger.payout.finishBatch(id);
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) return err({ kind: "not_found" });
  return rest === null
    ? err({ kind: "wrong_state", state: batch.state })
    : ok({ cancelled: rest, state: ended ?? batch.state });
}

async function moveOrRefuse(
  event: "pause" | "resume",
  { batchId, actor, reason }: BatchOrder,
  ledger: PayingLedger,
): Promise<Result<true, ControlRefusal>> {
  const moved = await ledger.payout.moveBatch({ id: batchId, event, reason, actor });
  if (moved !== null) return ok(true);
  const batch = await ledger.payout.findBatch({ id: batchId });
  return err(batch ? { kind: "wrong_state", state: batch.state } : { kind: "not_found" });
}
