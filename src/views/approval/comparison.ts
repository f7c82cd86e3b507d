import { COMPARISON_PARTS } from "#approval/comparison.ts";
import { timesText, ratioInHundredths } from "#approval/anomalies.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { type Batch, findBatches } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { compareBatches, type ComparisonRow } from "#ledger/approval/comparison.ts";
import { findPreviousBatch, isRetryBatch } from "#ledger/approval/previous-batch.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { amountOf, formatMoney } from "#money/format.ts";

/**
 * Compares a batch with another one, as shown by the API and the command line.
 *
 * @param against null: the previous batch.
 * @returns the document, or the ID of the batch that does not exist.
 */
export async function comparisonDocument(
  database: Database,
  sealer: Sealer,
  batchId: string,
  against: string | null,
) {
  const beside =
    against === null
      ? await findPreviousBatch(database, batchId)
      : { id: against, chosen: "requested" as const };
  const ids = beside ? [batchId, beside.id] : [batchId];
  const batches = new Map((await findBatches(database, ids)).map((batch) => [batch.id, batch]));
  const missing = ids.find((id) => !batches.has(id));
  if (missing !== undefined) return { missing };
  const [mine, other] = ids.map((id) => batches.get(id));
  if (!mine || !other || !beside) {
    const is_retry = await isRetryBatch(database, batchId);
    return { document: { against: null, is_retry, totals: [], parts: [] } };
  }
  const shares = await compareBatches(database, sealer, mine.id, other.id);
  const document = {
    against: {
      batch_id: other.id,
      file: other.fileName,
      name: other.name,
      purpose: other.purpose,
      created_at: other.createdAt.toISOString(),
      payouts: payoutsOf(other),
      chosen: beside.chosen,
    },
    is_retry: false,
    totals: comparedTotals(mine, other),
    parts: shares.map(({ part, count, sums, rows }) => ({
      part,
      says: COMPARISON_PARTS[part],
      count,
      sums: sums.map(amountOf),
      rows: rows.map(shownRow),
    })),
  };
  return { document };
}

const payoutsOf = ({ lanes }: Batch): number => lanes.reduce((sum, { rows }) => sum + rows, 0);

function comparedTotals(mine: Batch, other: Batch) {
  const earlier = totalsOf(other);
  return [...totalsOf(mine)].map(([currency, total]) => {
    const before = earlier.get(currency);
    return {
      ...amountOf(total),
      before: before ? formatMoney(before) : null,
      times: before ? timesText(ratioInHundredths(total.minor, before.minor)) : null,
    };
  });
}

const shownRow = ({ code, line, name, accountLast4, money, before }: ComparisonRow) => ({
  code,
  line,
  beneficiary: name,
  account_last4: accountLast4,
  ...amountOf(money),
  before: before && { amount: formatMoney(before.money), account_last4: before.accountLast4 },
});
