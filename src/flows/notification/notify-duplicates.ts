import type { LedgerSteps } from "#ledger/ledger.ts";

/** Batches that one round of notifications searches for exact duplicates. */
const BATCHES_MAX = 3;

/**
 * Searches batches that wait for approval for exact duplicates, once for each content and again
 * after another batch was approved. Notifies their uploaders: exact duplicates block the approval
 * until somebody gives a reason. The result of the search and the notice are one commit.
 */
export async function notifyOfDuplicates(
  ledger: LedgerSteps,
  { canMail, at }: { readonly canMail: boolean; readonly at: Date },
): Promise<void> {
  for (const batch of await ledger.notification.findUncheckedBatches(BATCHES_MAX)) {
    const duplicates = await ledger.intake.findExactDuplicates(batch.batchId, at);
    await ledger.transaction(async (transaction) => {
      await transaction.notification.recordDuplicateCheck({ ...batch, at });
      if (duplicates.some(({ isAllowed }) => !isAllowed)) {
        await transaction.notification.createBlockedNotice(batch, duplicates, { canMail });
      }
    });
  }
}
