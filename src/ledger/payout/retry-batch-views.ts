import { sql } from "kysely";
import { type BatchState, isBeforeRequest } from "#intake/batch/batch-lifecycle.ts";
import {
  LEFT_OUT_REASONS,
  type LeftOutReason,
  type NotRetriedReason,
  type RetryStanding,
} from "#payout/retry-batch-left-out.ts";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { HAS_PAID } from "#ledger/payout/lane/retry-results.ts";
import { RETRIES_OF_ROW, wasUploadedBeforeFreeze } from "#ledger/payout/retry-batches.ts";
import type { SealedPayout } from "#ledger/store/keys/compact-payout.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { type Money, sumByCurrency } from "#money/money.ts";
import { RETRIES_MAX } from "#payout/retry-rule.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** Some payouts, with their sum per currency. */
interface PayoutsTotal {
  readonly count: number;
  readonly sums: readonly Money[];
}

interface RetryBatchView {
  readonly payable: PayoutsTotal;
  /** The payable payouts by the stored reason, with the gateway's text only for refusals. */
  readonly causes: readonly (PayoutsTotal & { readonly reason: string | null })[];
  readonly leftOut: readonly (PayoutsTotal & { readonly why: LeftOutReason })[];
  /** The batches that pay some of these payouts again, oldest first. */
  readonly batches: readonly { readonly id: string; readonly state: BatchState }[];
  /** The batch whose payouts this one pays again. */
  readonly of: {
    readonly id: string;
    readonly fileName: string;
    readonly name: string | null;
    readonly purpose: string | null;
    readonly unchangedReason: string | null;
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
    purpose: string | null;
    unchangedReason: string | null;
  }>`
    select p.id, p.file_name as "fileName", p.name, p.purpose, r.unchanged_reason as "unchangedReason" from batches b
    left join retry_batches r on r.batch_id = b.id left join batches p on p.id = r.parent_id
    where b.id = ${batchId}`.execute(database);
  const of = found[0];
  if (!of) return null;
  const { rows } = await sql<ShareRow>`
    select case
        when p.state in ('declined', 'returned') and again.live then 'in_retry_batch'
        when p.state in ('declined', 'returned') and (select times from ${RETRIES_OF_ROW} of_row) >= ${RETRIES_MAX} then 'retried_twice'
        when p.state in ('declined', 'returned') and ${wasUploadedBeforeFreeze} then 'before_restore'
        when p.state in ('declined', 'returned') and p.double_payment_check_at is not null then 'being_checked'
        when p.state = 'declined' then 'payable'
        when p.state in ('on_hold', 'returned', 'cancelled', 'settled', 'resolved') then p.state
        else 'in_progress' end as part,
      case when p.state <> 'declined' then null
        when p.reason like 'refused:%' then p.reason else split_part(p.reason, ':', 1) end as reason,
      p.currency, p.minor_digits, count(*)::int as count, sum(p.amount_minor) as amount_minor
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    left join descendants x on x.payout_id = p.id
    left join descendants again on again.parent_id = p.id and again.live
    where b.id = ${batchId} group by 1, 2, 3, 4 order by 3`.execute(database);
  const { rows: batches } = await sql<RetryBatchView["batches"][number]>`
    select b.id, b.state from retry_batches r join batches b on b.id = r.batch_id
    where r.parent_id = ${batchId} order by b.created_at, b.id`.execute(database);
  const parts = Map.groupBy(rows, ({ part }) => part);
  return {
    payable: shareOf(parts.get("payable")),
    causes: [...Map.groupBy(parts.get("payable") ?? [], ({ reason }) => reason)]
      .map(([reason, some]) => ({ reason, ...shareOf(some) }))
      .toSorted((one, other) => other.count - one.count),
    leftOut: (Object.keys(LEFT_OUT_REASONS) as LeftOutReason[]).flatMap((why) =>
      parts.has(why) ? [{ why, ...shareOf(parts.get(why)) }] : [],
    ),
    batches,
    of:
      of.id === null
        ? null
        : {
            id: of.id,
            fileName: of.fileName ?? "",
            name: of.name,
            purpose: of.purpose,
            unchangedReason: of.unchangedReason,
          },
  };
}

interface ShareRow {
  readonly part: LeftOutReason | "payable";
  readonly reason: string | null;
  readonly currency: string;
  readonly minor_digits: number;
  readonly count: number;
  readonly amount_minor: string;
}

const shareOf = (rows: readonly ShareRow[] = []): PayoutsTotal => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  sums: [...sumByCurrency(rows.map(moneyOf)).values()],
});

/** One payout of a row: the payout of its file, or one that pays it again. */
export interface RetryChainLink {
  readonly code: string;
  readonly batchId: string;
  readonly state: PayoutState;
  readonly batch_state: BatchState;
  readonly needs_duplicate_reason: boolean;
  /** When it paid the row, according to the gateway or a person. Null: it has not. */
  readonly paidAt: Date | null;
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
    select d.transaction_code as code, r.batch_id as "batchId", r.state,
      b.state as batch_state, ${IS_BLOCKED} as needs_duplicate_reason,
      case when ${HAS_PAID} then coalesce(r.settled_at, r.updated_at) end as "paidAt"
    from chain c join payouts r on r.id = c.id join payout_details d on d.payout_id = c.id
      join batches b on b.id = r.batch_id
    order by r.id`.execute(database);
  return rows.length > 1 ? rows : [];
}

/**
 * Returns whether the row of a payout can be paid again, or the latest payout that pays it again.
 * Null: not applicable in the state of the payout.
 */
export async function findRetryStanding(
  database: Database,
  code: string,
): Promise<RetryStanding | null> {
  const { rows } = await sql<{
    state: PayoutState;
    why: NotRetriedReason | null;
    by: {
      code: string;
      batch: string;
      state: PayoutState;
      batch_state: BatchState;
      may: boolean;
    } | null;
  }>`
    with recursive me as (
      select p.id, p.state, p.double_payment_check_at, p.batch_id,
        coalesce(x.ancestors, '{}') as ancestors
      from payout_details d join payouts p on p.id = d.payout_id
      left join descendants x on x.payout_id = p.id where d.transaction_code = ${code}
    ), live as (
      select coalesce(ancestors[1], id) as id from me
      union all select x.payout_id from live l join descendants x on x.parent_id = l.id and x.live
    )
    select p.state,
      (select json_build_object('code', d.transaction_code, 'batch', q.batch_id, 'state', q.state,
          'batch_state', c.state, 'may', ${RETRIES_MAX} > (
            select count(*) from descendants where parent_id = any(y.ancestors || q.id)))
        from payouts q join batches c on c.id = q.batch_id join payout_details d on d.payout_id = q.id
          join descendants y on y.payout_id = q.id
        where q.id = (select max(id) from live) and q.id <> all(p.ancestors || p.id)) as by,
      case when (select times from ${RETRIES_OF_ROW} of_row) >= ${RETRIES_MAX} then 'retried_twice'
        when ${wasUploadedBeforeFreeze} then 'before_restore'
        when p.double_payment_check_at is not null then 'being_checked' end as why
    from me p cross join lateral (select p.ancestors) x join batches b on b.id = p.batch_id
  `.execute(database);
  const [row] = rows;
  if (!row) return null;
  const { state, why, by } = row;
  if (by) {
    const { code: retry, batch: batchId, batch_state: of, state: now, may: mayBeRetried } = by;
    return {
      kind: "retried",
      by: {
        code: retry,
        batchId,
        state: now,
        isDraft: now === "awaiting_approval" && isBeforeRequest(of),
        mayBeRetried,
      },
    };
  }
  if (state !== "declined" && state !== "returned") return null;
  return { kind: why ?? "retryable" };
}

/** A payout of a retry batch with edited details, and the declined payout that it retries. */
export interface EditedRetry {
  readonly line: number;
  readonly money: Money;
  readonly after: EditedRow;
  readonly before: EditedRow;
}

interface EditedRow {
  readonly code: string;
  readonly header: readonly string[];
  readonly sealed: SealedPayout;
}

/** Maximum number of rows to list, as many as one request can edit. */
const ROWS_MAX = 500;

/** Returns the rows of a retry batch whose details were edited, in the order of the batch. */
export async function findEditedRetries(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<EditedRetry[]> {
  const { rows } = await sql<{
    line: number;
    currency: string;
    amount_minor: string;
    minor_digits: number;
    code: string;
    sealed: Buffer;
    header: string[];
    before_code: string;
    before_sealed: Buffer;
    before_header: string[];
  }>`
    select p.line, p.currency, p.amount_minor, p.minor_digits, d.transaction_code as code, d.sealed,
      b.facts -> 'header' as header, e.transaction_code as before_code, e.sealed as before_sealed,
      q.facts -> 'header' as before_header
    from batches b
    join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    join descendants x on x.payout_id = p.id and x.edited
    join payout_details d on d.payout_id = p.id
    join payout_details e on e.payout_id = x.parent_id
    join retry_batches r on r.batch_id = b.id join batches q on q.id = r.parent_id
    where b.id = ${batchId} order by p.id limit ${ROWS_MAX}`.execute(database);
  return rows.map((row) => ({
    line: row.line,
    money: moneyOf(row),
    after: { code: row.code, header: row.header, sealed: openPayout(sealer, row.code, row.sealed) },
    before: {
      code: row.before_code,
      header: row.before_header,
      sealed: openPayout(sealer, row.before_code, row.before_sealed),
    },
  }));
}
