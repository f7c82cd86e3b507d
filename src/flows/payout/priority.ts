import type { Priority } from "#payout/priority.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#base/result.ts";

export type PriorityRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: BatchState };

/**
 * Sets the priority of a batch, which decides its order when not all batches can be sent at the
 * same time.
 */
export async function setBatchPriority(
  order: {
    readonly batchId: string;
    readonly priority: Priority;
    readonly reason: string;
    readonly actor: string;
  },
  ledger: PayingLedger,
): Promise<Result<true, PriorityRefusal>> {
  if (await ledger.payout.setPriority(order)) return ok(true);
  const batch = await ledger.payout.findBatch({ id: order.batchId });
  return err(batch ? { kind: "wrong_state", state: batch.state } : { kind: "not_found" });
}
