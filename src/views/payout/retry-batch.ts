import { LEFT_OUT_REASONS } from "#payout/retry-batch-left-out.ts";
import { sendTimeView } from "#views/schedule/send-time.ts";
import type { Database } from "#ledger/store/database.ts";
import { findRetryBatchView } from "#ledger/payout/retry-batch-views.ts";
import { amountOf } from "#money/format.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import type { Money } from "#money/money.ts";

/**
 * Returns which payouts of a batch can be retried, as shown by the API and the command line. Null:
 * the batch does not exist.
 */
export async function retryBatchDocument(database: Database, batchId: string) {
  const view = await findRetryBatchView(database, batchId);
  if (!view) return null;
  const { payable, leftOut, batches, of } = view;
  const sendings = await findSendTimes(
    database,
    batches.map(({ id }) => id),
  );
  return {
    payable: shown(payable),
    left_out: leftOut.map(({ why, ...share }) => ({
      why,
      says: LEFT_OUT_REASONS[why],
      ...shown(share),
    })),
    batches: batches.map(({ id, state }) => ({
      batch_id: id,
      state,
      send: sendTimeView(sendings.get(id)),
    })),
    of: of && { batch_id: of.id, file: of.fileName, name: of.name },
  };
}

const shown = ({ count, sums }: { readonly count: number; readonly sums: readonly Money[] }) => ({
  count,
  sums: sums.map(amountOf),
});
