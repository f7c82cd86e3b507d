import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { LEFT_OUT_REASONS, type LeftOutReason } from "#payout/retry-batch-left-out.ts";
import type { Database } from "#ledger/store/database.ts";
import { RETRIES_OF_ROW, wasUploadedBeforeFreeze } from "#ledger/payout/retry-batches.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import { RETRIES_MAX } from "#payout/retry-rule.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** Some payouts, with their sum per currency. */
interface PayoutsTotal {
  readonly count: number;
  readonly sums: readonly Money[];
}

interface RetryBatchView {
  readonly payable: PayoutsTotal;
  readonly leftOut: readonly (PayoutsTotal & { readonly why: LeftOutReason })[];
  /** The batches that pay some of these payouts again, oldest first. */
  readonly batches: readonly { readonly id: string; readonly state: BatchState }[];
  /** The batch whose payouts this one pays again. */
  readonly of: {
    readonly id: string;
    readonly fileName: string;
    readonly name: string | null;
  } | null;
}

/**
 * Returns which payouts of a batch can be paid again, which cannot, and why. Null: there is no such
 * batch.
 */
export async function findRetryBatchView(
  database: Database,
  batchId: string,
): Promise<RetryBatchView | null> {
  const { rows: found } = await sql<{
    id: string | null;
    fileName: string | null;
    name: string | null;
  }>`
    select p.id, p.file_name as "fileName", p.name from batches b
    left join retry_batches r on r.batch_id = b.id left join batches p on p.id = r.parent_id
    where b.id = ${batchId}`.execute(database);
  const of = found[0];
  if (!of) return null;
  const { rows } = await sql<ShareRow>`
    select case
        when p.state = 'declined' and again.live then 'in_retry_batch'
        when p.state = 'declined' and (select times from ${RETRIES_OF_ROW} of_row) >= ${RETRIES_MAX} then 'retried_twice'
        when p.state = 'declined' and ${wasUploadedBeforeFreeze} then 'before_restore'
        when p.state = 'declined' and p.double_payment_check_at is not null then 'being_checked'
        when p.state = 'declined' then 'payable'
        when p.state in ('on_hold', 'returned', 'cancelled', 'settled', 'resolved') then p.state
        else 'in_progress' end as part,
      p.currency, p.minor_digits, count(*)::int as count, sum(p.amount_minor) as amount_minor
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    left join descendants x on x.payout_id = p.id
    left join descendants again on again.parent_id = p.id and again.live
    where b.id = ${batchId} group by 1, 2, 3 order by 2`.execute(database);
  const { rows: batches } = await sql<RetryBatchView["batches"][number]>`
    select b.id, b.state from retry_batches r join batches b on b.id = r.batch_id
    where r.parent_id = ${batchId} order by b.created_at, b.id`.execute(database);
  const parts = Map.groupBy(rows, ({ part }) => part);
  return {
    payable: shareOf(parts.get("payable")),
    leftOut: (Object.keys(LEFT_OUT_REASONS) as LeftOutReason[]).flatMap((why) =>
      parts.has(why) ? [{ why, ...shareOf(parts.get(why)) }] : [],
    ),
    batches,
    of: of.id === null ? null : { id: of.id, fileName: of.fileName ?? "", name: of.name },
  };
}

interface ShareRow {
  readonly part: LeftOutReason | "payable";
  readonly currency: string;
  readonly minor_digits: number;
  readonly count: number;
  readonly amount_minor: string;
}

const shareOf = (rows: readonly ShareRow[] = []): PayoutsTotal => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  sums: rows.map(moneyOf),
});

/** One payout of a row: the payout of its file, or one that pays it again. */
export interface RetryChainLink {
  readonly code: string;
  readonly batchId: string;
  readonly state: PayoutState;
}

/** Returns all payouts of the same row, oldest first; empty if the row was never paid again. */
export async function findRetryChain(database: Database, code: string): Promise<RetryChainLink[]> {
  const { rows } = await sql<RetryChainLink>`
    with recursive me as (
      select payout_id as id from payout_details where transaction_code = ${code}
    ), chain as (
      select coalesce((select x.ancestors[1] from descendants x where x.payout_id = me.id), me.id) as id from me
      union all select x.payout_id from chain c join descendants x on x.parent_id = c.id
    )
    select d.transaction_code as code, p.batch_id as "batchId", p.state
    from chain c join payouts p on p.id = c.id join payout_details d on d.payout_id = c.id
    order by p.id`.execute(database);
  return rows.length > 1 ? rows : [];
}
