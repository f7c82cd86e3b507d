import { KnownFile } from "#ledger/intake/correct.ts";
import { BatchWriter, type NewBatch } from "#ledger/intake/ingest.ts";
import { findQuarantineCauses } from "#ledger/intake/quarantine.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { ignoreUnwritten, type LedgerParts } from "#ledger/ledger-parts.ts";
import { findBatch } from "#ledger/payout/batches.ts";
import { refuseUnlessUnfrozen } from "#ledger/payout/retry-batches.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import type { QuarantineCause } from "#intake/batch/quarantine.ts";

/** Functions that store batches. Each is one commit. */
export interface IntakeLedger {
  /**
   * Stores a batch in one transaction: `fill` writes rows and returns how the file was read. An
   * error from it leaves no trace. Returns the id of the batch with this file: the new one, or the
   * existing one. A retry batch throws NotRetryable unless all of its payouts may be paid again.
   *
   * @example
   * ```ts
   * import { createHash } from "node:crypto";
   * import { randomIds } from "#base/ids.ts";
   *
   * const digest = createHash("sha256").update("the bytes of the file").digest("hex");
   * const file = { id: randomIds.batchId(), digest, fileName: "payouts.csv", actor: "asha" };
   * const { isNew } = await ledger.intake.createBatch(file, async (writer) => {
   *   await writer.addPayouts([{ line: 2, cells: [], order, lane, reference: null }]);
   *   return { encoding: "UTF-8" };
   * });
   * console.log(isNew); // → true
   * ```
   */
  createBatch(
    batch: NewBatch,
    fill: (writer: RowWriter) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<{ id: string; isNew: boolean }>;
  /** Returns why the batch is or was in quarantine; empty if it never was. */
  quarantineOf(batchId: string): Promise<readonly QuarantineCause[]>;
}

/** Creates the functions that store batches. */
export const intakeLedger = ({
  database,
  sealer,
  canary,
  restoreGuard,
  batchMemory,
  verify,
  now,
  inTransaction,
}: LedgerParts): IntakeLedger => ({
  async createBatch(batch, fill) {
    const condition = batch.retryOf ? await restoreGuard.claimCondition() : null;
    // A restored copy that nobody has verified yet must not treat a known file as new.
    await verify();
    const ledgerId = await ledgerIdOf(database);
    try {
      await inTransaction(async (transaction) => {
        if (condition) await refuseUnlessUnfrozen(transaction, condition);
        const writer = new BatchWriter(transaction, sealer, { canary, ...batch }, ledgerId);
        await writer.begin();
        await writer.end(await writer.rows.fillWith(fill), now());
      });
      await batchMemory.remember(batch.id).catch(ignoreUnwritten);
      return { id: batch.id, isNew: true };
    } catch (error) {
      const isKnown = error instanceof KnownFile || isUniqueViolation(error, "batches_digest_key");
      if (!isKnown) throw error;
      const first = await findBatch(database, { digest: batch.digest });
      if (!first) throw error;
      return { id: first.id, isNew: false };
    }
  },
  quarantineOf: (batchId) => findQuarantineCauses(database, batchId),
});
