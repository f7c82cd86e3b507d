import { LEFT_OUT_REASONS } from "#payout/retry-batch-left-out.ts";
import { findRetryShares, type RetryShares } from "#ledger/payout/lane/retry-shares.ts";
import { cellOf } from "#views/approval/retry-changes.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";
import type { Database } from "#ledger/store/database.ts";
import { findRetryBatchView } from "#ledger/payout/retry-batch-views.ts";
import type { Declined } from "#ledger/payout/retry-batches.ts";
import { EDITABLE_COLUMNS } from "#flows/payout/retry-rows.ts";
import type { Column } from "#intake/header/columns.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { columnGuideOf } from "#intake/template.ts";
import { maskCells } from "#intake/masking.ts";
import { explainFailure } from "#payout/failure-explanations.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";
import { amountOf } from "#money/format.ts";
import type { Money } from "#money/money.ts";

/**
 * Returns which payouts of a batch can be retried, as shown by the API and the command line. Null:
 * the batch does not exist.
 */
export async function retryBatchDocument(database: Database, batchId: string) {
  const view = await findRetryBatchView(database, batchId);
  if (!view) return null;
  const { payable, causes, leftOut, batches, of } = view;
  const [statusOf, shares] = await Promise.all([
    findBatchStatuses(
      database,
      batches.map(({ id }) => id),
    ),
    findRetryShares(database, [batchId]),
  ]);
  return {
    payable: shown(payable),
    causes: causes.map(({ reason, ...share }) => {
      const { meaning } = explainFailure("declined", reason);
      return { reason, meaning, retry: retryConditionOf(reason).rule, ...shown(share) };
    }),
    left_out: leftOut.map(({ why, ...share }) => ({
      why,
      says: LEFT_OUT_REASONS[why],
      ...shown(share),
    })),
    batches: batches.map(({ id, state }) => ({ batch_id: id, state, ...statusOf(id) })),
    retried: retrySharesView(shares.get(batchId)),
    of: of && {
      batch_id: of.id,
      file: of.fileName,
      name: of.name,
      purpose: of.purpose,
      unchanged_reason: of.unchangedReason,
    },
  };
}

/** Returns the results of the retries of a batch. Null: the batch has no retry batches. */
export const retrySharesView = (shares: RetryShares | undefined) =>
  shares === undefined
    ? null
    : {
        declined: shares.declined,
        paid_by_retry: shares.paidByRetry,
        unpaid: shown(shares.unpaid),
      };

const shown = ({ count, sums }: { readonly count: number; readonly sums: readonly Money[] }) => ({
  count,
  sums: sums.map(amountOf),
});

/** Columns that every currency may have, which the guide for files does not name. */
const COMMON_COLUMNS: readonly Column[] = ["payout_code", "callback_url"];

/** Returns the columns that a row of this currency may have. */
const columnsOf = (currency: string, rows: RowSettings): ReadonlySet<Column> =>
  new Set([
    ...(columnGuideOf(currency, rows) ?? []).map(({ column }) => column),
    ...COMMON_COLUMNS,
  ]);

/**
 * Returns a declined row as the editor of its details shows it, with masked accounts: its values,
 * and the empty columns that its currency uses.
 */
export function declinedRowView(
  header: readonly string[],
  { line, cells, order, reason }: Declined,
  rows: RowSettings,
) {
  const used = columnsOf(order.money.currency, rows);
  const masked = maskCells(
    header,
    header.map((_, place) => cells[place] ?? ""),
    false,
  );
  const condition = retryConditionOf(reason);
  const { meaning, todo } = explainFailure("declined", reason);
  return {
    line,
    code: order.transactionCode,
    ...amountOf(order.money),
    beneficiary: order.details.account_name ?? null,
    reason,
    meaning,
    next_step: todo,
    retry: condition.rule,
    refused_columns: [...condition.columns],
    cells: EDITABLE_COLUMNS.map((column) => ({
      column,
      text: cellOf(header, masked, column),
    })).filter(
      ({ column, text }) => used.has(column) || condition.columns.includes(column) || text !== "",
    ),
  };
}
