import type { ControlRefusal } from "#flows/payout/lane/control-batch.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { decideCanary } from "#payout/lane/canary.ts";
import { err, ok, type Result } from "#base/result.ts";

const ACTOR = "canary";

/**
 * Releases the other payouts of a batch once its canary has settled, and pauses the batch if the
 * canary has not.
 */
export async function checkCanaries({
  ledger,
  log,
  thresholdsOf,
}: Pick<PayDeps, "ledger" | "log" | "thresholdsOf">): Promise<void> {
  for (const canary of await ledger.payout.canaries(null)) {
    const { batchId, lane } = canary;
    const verdict = decideCanary(canary, thresholdsOf(lane).canary_minutes);
    if (verdict.kind === "release") {
      await ledger.payout.releaseCanaries({ batchId, lane, reason: null, actor: ACTOR });
      log.info({ batch: batchId, lane }, "canary settled: other payouts released");
    }
    if (verdict.kind === "fail") {
      const { reason } = verdict;
      await ledger.payout.failCanary({ batchId, lane, reason, actor: ACTOR });
      log.warn({ batch: batchId, lane, reason }, "canary not settled: batch paused");
    }
  }
}

/**
 * Releases the other payouts although the canary has not settled, by a person's decision. A batch
 * that was paused for its canary is resumed.
 */
export async function releaseCanary(
  order: { readonly batchId: string; readonly actor: string; readonly reason: string },
  ledger: PayingLedger,
): Promise<Result<{ readonly lanes: readonly string[] }, ControlRefusal>> {
  const batch = await ledger.payout.findBatch({ id: order.batchId });
  if (!batch) return err({ kind: "not_found" });
  const { state } = batch;
  if (state !== "approved" && state !== "paused") return err({ kind: "wrong_state", state });
  const lanes = await ledger.payout.releaseCanaries({ ...order, lane: null });
  if (lanes.length === 0) return err({ kind: "no_canary" });
  return ok({ lanes });
}
