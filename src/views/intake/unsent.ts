import type { UnsentPayouts } from "#api/approval/batch-page.ts";
import { findUnsent } from "#ledger/payout/progress.ts";
import { amountOf } from "#money/format.ts";
import type { ServerDeps } from "#views/deps.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";

/**
 * Returns the number and sums of the payouts of a batch that were never sent.
 *
 * @throws Problem if the batch does not exist.
 */
export async function unsentView(
  batchId: string,
  deps: Pick<ServerDeps, "database">,
): Promise<UnsentPayouts> {
  await findBatchOrThrow(deps, batchId);
  const unsent = await findUnsent(deps.database, batchId);
  return {
    payouts: unsent.reduce((sum, { count }) => sum + count, 0),
    sums: unsent.map(({ sum }) => amountOf(sum)),
  };
}
