import type { PayDeps } from "#flows/deps.ts";
import { whyHeldBack } from "#schedule/release.ts";

export interface ReleaseDeps extends Pick<PayDeps, "ledger" | "log"> {
  /**
   * Checks the batch against the current rules and returns what is wrong. Empty: it may be sent.
   */
  readonly recheckBatch: (batchId: string) => Promise<readonly string[]>;
  /**
   * Batches that this process is checking. A large batch takes minutes; meanwhile other calls
   * continue with the next batch.
   */
  readonly checking: Set<string>;
}

/**
 * Releases every batch whose time has come, or holds it back if its approval has expired or its
 * rows no longer pass the checks. Safe to run concurrently: a result applies only to the send time
 * for which it was found.
 */
export async function releaseDue({
  ledger,
  log,
  recheckBatch,
  checking,
}: ReleaseDeps): Promise<void> {
  for (const due of await ledger.schedule.dueSendTimes()) {
    const { batchId, at: sendAt } = due;
    if (checking.has(batchId)) continue;
    checking.add(batchId);
    try {
      // There is no lock, because its holder may be frozen. A batch that is checked twice is still
      // released once.
      const heldBack = whyHeldBack(due, []) ?? whyHeldBack(due, await recheckBatch(batchId));
      const settled = await ledger.schedule.releaseOrHoldBack({ batchId, sendAt, heldBack });
      if (settled)
        log.info(
          { batch: batchId, heldBack },
          heldBack === null ? "batch released" : "batch held back",
        );
    } catch (error) {
      // The next tick looks at it again. Other batches do not wait for it.
      log.warn({ batch: batchId, err: error }, "batch recheck failed");
    } finally {
      checking.delete(batchId);
    }
  }
}
