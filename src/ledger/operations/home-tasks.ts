import { sql } from "kysely";
import { findProgress } from "#ledger/operations/known-progress.ts";
import type { Database } from "#ledger/store/database.ts";
import { CAN_BE_RETRIED, RETRIES_OF_ROW } from "#ledger/payout/retry-batches.ts";
import { moneyOf, type Tables } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/** Number and sum of payouts, by currency. */
interface PayoutTotal {
  readonly count: number;
  readonly sum: Money;
}

/** A batch in which its uploader has something to do, or that waits for approval. */
export interface TaskBatch {
  readonly id: string;
  readonly name: string;
  readonly maker: string;
  /** Time at which it started waiting. */
  readonly since: Date;
  readonly rejected: number;
  readonly totals: readonly PayoutTotal[];
}

export interface TaskBatches {
  /** Number of batches, including those that are not listed. */
  readonly count: number;
  readonly batches: readonly TaskBatch[];
}

const LISTED_MAX = 5;

/** Returns the drafts or the batches to correct of this uploader, newest first. */
export async function findOwnBatches(
  database: Database,
  maker: string,
  state: "draft" | "needs_correction",
): Promise<TaskBatches> {
  const { rows } = await sql<{ id: string }>`
    select id from batches
    where state in ('needs_correction', 'draft', 'awaiting_approval')
      and state = ${state}
      and maker = ${maker}
    order by created_at desc`.execute(database);
  const ids = rows.map(({ id }) => id);
  return { count: ids.length, batches: await findTaskBatches(database, ids.slice(0, LISTED_MAX)) };
}

/** Returns the batches with these ids, in this order, with the totals of their valid rows. */
export async function findTaskBatches(
  database: Database,
  ids: readonly string[],
): Promise<TaskBatch[]> {
  const { rows } = await sql<Omit<TaskBatch, "totals"> & { totals: TotalRow[] }>`
    select batches.id, coalesce(batches.name, batches.file_name) as name, batches.maker, batches.rejected,
      coalesce(batches.approval_requested_at, batches.created_at) as since,
      coalesce((
        select json_agg(json_build_object('currency', currency, 'minor_digits', minor_digits,
          'amount_minor', amount::text, 'count', count) order by currency)
        from (
          select currency, minor_digits, sum(total_minor) as amount, sum(rows)::int as count
          from batch_lanes
          where batch_id = batches.id
          group by currency, minor_digits
        ) sums
      ), '[]') as totals
    from unnest(${[...ids]}::text[]) with ordinality as wanted (id, place)
      join batches on batches.id = wanted.id
    order by wanted.place`.execute(database);
  return rows.map(({ totals, ...batch }) => ({ ...batch, totals: totals.map(totalOf) }));
}

interface TotalRow {
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly count: number;
}

const totalOf = (row: TotalRow): PayoutTotal => ({ count: row.count, sum: moneyOf(row) });

/** Days after the approval for which declined payouts are listed as a task. */
const RETRY_DAYS = 30;
const SEARCHED_MAX = 50;

/**
 * Returns the batches of this uploader with declined payouts that can be retried, newest first.
 * Finished batches were counted when they finished, so this reads few payouts.
 */
export async function findDeclinedToRetry(
  database: Database,
  maker: string,
): Promise<TaskBatches & { readonly totals: ReadonlyMap<string, readonly PayoutTotal[]> }> {
  const { rows: own } = await sql<Pick<Tables["batches"], "id" | "state"> & { outcome: unknown }>`
    select id, state, outcome from batches
    where maker = ${maker}
      and state in ('approved', 'paused', 'finished_with_exceptions')
      and approved_at > now() - ${RETRY_DAYS} * interval '1 day'
    order by approved_at desc limit ${SEARCHED_MAX}`.execute(database);
  const progress = await findProgress(database, own);
  const ids = own.map(({ id }) => id);
  const declined = ids.filter((id) =>
    (progress.get(id) ?? []).some(({ state }) => state === "declined"),
  );
  const retryable = await findRetryable(database, declined);
  const open = declined.flatMap((id) => {
    const totals = retryable.get(id) ?? [];
    return totals.length === 0 ? [] : [[id, totals] as const];
  });
  const shown = open.slice(0, LISTED_MAX).map(([id]) => id);
  return {
    count: open.length,
    batches: await findTaskBatches(database, shown),
    totals: new Map(open),
  };
}

/** Returns the totals of the payouts in these batches that can be retried, per currency. */
async function findRetryable(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PayoutTotal[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<TotalRow & { id: string }>`
    select b.id, p.currency, p.minor_digits, count(*)::int as count,
      sum(p.amount_minor)::text as amount_minor
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    left join descendants x on x.payout_id = p.id
    cross join lateral ${RETRIES_OF_ROW} again
    where b.id = any(${[...ids]}) and ${CAN_BE_RETRIED} and p.state = 'declined'
    group by 1, 2, 3`.execute(database);
  const byBatch = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byBatch].map(([id, same]) => [id, same.map(totalOf)]));
}

/** Returns the amounts of the payouts with these transaction codes. */
export async function findAmounts(
  database: Database,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  if (codes.length === 0) return new Map();
  const { rows } = await sql<Omit<TotalRow, "count"> & { code: string }>`
    select payout_details.transaction_code as code, payouts.currency, payouts.minor_digits,
      payouts.amount_minor::text as amount_minor
    from payout_details
      join payouts on payouts.id = payout_details.payout_id
    where payout_details.transaction_code = any(${[...codes]})`.execute(database);
  return new Map(rows.map((row) => [row.code, moneyOf(row)]));
}

/** Returns when the next status query of a payout in doubt is due; null if none is in doubt. */
export async function findNextStatusQuery(database: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from payouts where state = 'in_doubt'`.execute(database);
  return rows[0]?.at ?? null;
}
