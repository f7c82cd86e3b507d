import { type Freeze, freeze, type FreezeOrder } from "#ledger/integrity/freeze.ts";
import * as unqueried from "#ledger/integrity/restore/unqueried.ts";
import type { LedgerParts } from "#ledger/ledger-parts.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import { bind } from "#ledger/steps/bind.ts";

/** Functions about the ledger as a whole. Each is one commit. */
export interface IntegrityLedger {
  /**
   * Checks that this is the database that was written last, and freezes the ledger if it is not.
   * Null: this process may send. Claims return nothing before the first check, or from a server
   * that started after the last check.
   */
  verify(): Promise<Freeze | null>;
  /** Freezes the ledger manually and returns the new epoch, or null if it is already frozen. */
  freeze(order: FreezeOrder): Promise<number | null>;
  /**
   * Lets the ledger send again. Returns false, without any decision, if it is not frozen in this
   * epoch, if payouts in progress were not queried since, or if a batch in quarantine is undecided
   * or a lost batch is not acknowledged.
   */
  unfreeze(order: Omit<unqueried.UnfreezeOrder, "at">): Promise<boolean>;
  /**
   * For a frozen ledger: payouts in progress, and those of them that were not queried since the
   * freeze.
   */
  laneProgress(): Promise<unqueried.LaneProgress[]>;
  /**
   * For a frozen ledger: payouts after this id without a known attempt and without a query so far.
   */
  claimUnsent(take: {
    readonly after: number;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<StatusQuery[]>;
  /**
   * Stores the batch in the restore memory before it is approved, and puts it in quarantine if it
   * repeats a batch that a restored ledger has lost.
   *
   * @throws MemoryNotWritten
   */
  remember(batchId: string): Promise<void>;
  /**
   * Returns the time since which this machine keeps the restore memory, or null if it keeps none.
   */
  restoreMemorySince(): Promise<Date | null>;
}

/** Creates the functions about the ledger as a whole. */
export const integrityLedger = ({
  database,
  batchMemory,
  verify,
  now,
  inTransaction,
}: LedgerParts): IntegrityLedger => ({
  verify,
  freeze: (order) => inTransaction((transaction) => freeze(transaction, order)),
  async unfreeze(order) {
    await batchMemory.reportLost();
    try {
      await inTransaction((transaction) =>
        unqueried.unfreeze(transaction, { ...order, at: now() }),
      );
      return true;
    } catch (error) {
      if (error instanceof unqueried.StillFrozen) return false;
      throw error;
    }
  },
  remember: (batchId) => batchMemory.remember(batchId),
  restoreMemorySince: () => batchMemory.since(),
  ...bind([database], {
    laneProgress: unqueried.laneProgress,
    claimUnsent: unqueried.claimUnsent,
  }),
});
