import type { PayDeps } from "#flows/deps.ts";
import { whyStuck } from "#schedule/release.ts";

export interface ReleaseDeps extends Pick<PayDeps, "ledger" | "log"> {
  /** What is wrong with the batch by the rules of now; nothing: it may go out. */
  readonly checkAgain: (batchId: string) => Promise<readonly string[]>;
  /** What this process is checking: a large batch takes minutes, and whoever looks meanwhile goes on to the next one. */
  readonly checking: Set<string>;
}

/**
 * Lets every batch go whose time has come, unless its approval has expired or its rows no longer pass. Safe to run
 * twice at once: what was found counts only for the time that it was found for.
 */
export async function releaseDue({
  ledger,
  log,
  checkAgain,
  checking,
}: ReleaseDeps): Promise<void> {
  for (const due of await ledger.dueSendings()) {
    const { batchId, at: sendAt } = due;
    if (checking.has(batchId)) continue;
    checking.add(batchId);
    try {
      // Without a lock: whoever holds it may be frozen, and a batch that is checked twice is let go once.
      const stuck = whyStuck(due, []) ?? whyStuck(due, await checkAgain(batchId));
      const settled = await ledger.settleSending({ batchId, sendAt, stuck });
      if (settled) log.info({ batch: batchId, stuck }, stuck === null ? "let go" : "kept back");
    } catch (error) {
      // It is looked at again with the next tick, and keeps no other waiting.
      log.warn({ batch: batchId, err: error }, "a batch could not be checked again");
    } finally {
      checking.delete(batchId);
    }
  }
}
