import { type RawBuilder, sql } from "kysely";
import { notBehindCanary } from "#ledger/payout/canary-condition.ts";
import type { Database } from "#ledger/store/database.ts";
import { AT_GATEWAY, feeOfRow, moneyOf } from "#ledger/store/tables.ts";
import { exactTotal, type Money } from "#money/money.ts";
import type { InDoubtLimit, InDoubtTotal } from "#payout/circuit-breakers.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** Number and sum of the batch's payouts in one state. */
export interface Progress extends StateTotal {
  readonly lane: string;
  /**
   * Total of the fees that the gateway reported for those that settled. Null: it reported none.
   * Absent: not counted.
   */
  readonly fee?: Money | null;
}

export interface StateTotal {
  readonly state: PayoutState;
  readonly count: number;
  readonly sum: Money;
}

interface ProgressRow {
  batch_id: string;
  state: PayoutState;
  lane: string;
  currency: string;
  minor_digits: number;
  count: number;
  amount_minor: string;
  fees: [minor: string, digits: number][] | null;
}

const progressOfRow = (row: ProgressRow): Progress => ({
  state: row.state,
  lane: row.lane,
  count: row.count,
  sum: moneyOf(row),
  fee: exactTotal(
    (row.fees ?? []).flatMap(
      ([fee_minor, fee_digits]) =>
        feeOfRow({ currency: row.currency, fee_minor, fee_digits }) ?? [],
    ),
  ),
});

/**
 * Returns the number and sum of the payouts of these batches per state, lane and currency. Triggers
 * keep them in the transactions that change payouts, so the cost does not depend on the size of a
 * batch.
 */
export async function progressOfBatches(
  database: Database,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Progress[]>> {
  const { rows } = await sql<ProgressRow>`
    with totals as (
      select batch_id, state, lane, currency, minor_digits, fee_digits, sum(payouts) as payouts,
        sum(amount_minor) as amount_minor, sum(fee_minor) as fee_minor
      from payout_counts
      where batch_id = any(${[...batchIds]}::text[])
      group by 1, 2, 3, 4, 5, 6
    )
    select batch_id, state, lane, currency, minor_digits, sum(payouts)::int as count, sum(amount_minor) as amount_minor,
      json_agg(json_build_array(fee_minor::text, fee_digits)) filter (where fee_digits >= 0 and payouts > 0) as fees
    from totals
    group by 1, 2, 3, 4, 5
    having sum(payouts) > 0
    order by 1, 4, 2`.execute(database);
  const known = Map.groupBy(rows, ({ batch_id }) => batch_id);
  return new Map(batchIds.map((id) => [id, (known.get(id) ?? []).map(progressOfRow)]));
}

/** Returns the number and sum of a batch's payouts per state, lane and currency. */
export async function progressOf(
  database: Database,
  batchId: string,
): Promise<readonly Progress[]> {
  return (await progressOfBatches(database, [batchId])).get(batchId) ?? [];
}

/**
 * Counts and sums the rows of a batch's payouts, which takes a second for each million. For the
 * record of a finished batch, and to compare with `progressOf`.
 */
export async function countProgress(database: Database, batchId: string): Promise<Progress[]> {
  const { rows } = await sql<ProgressRow>`
    with totals as (
      select p.batch_id, p.state, p.lane, p.currency, p.minor_digits, count(*) as count, sum(p.amount_minor) as amount_minor,
        case when p.settled_at is not null then p.fee_digits end as fee_digits, sum(p.fee_minor) as fee_minor
      from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
      where b.id = ${batchId}
      group by 1, 2, 3, 4, 5, 8
    )
    select batch_id, state, lane, currency, minor_digits, sum(count)::int as count, sum(amount_minor) as amount_minor,
      json_agg(json_build_array(fee_minor::text, fee_digits)) filter (where fee_digits is not null) as fees
    from totals
    group by 1, 2, 3, 4, 5 order by 4, 2`.execute(database);
  return rows.map(progressOfRow);
}

/** Merges the counts of a batch that the connections keep. Their sums stay the same. */
export async function mergeCounts(transaction: Database, batchId: string): Promise<void> {
  await sql`select merge_payout_counts(${batchId})`.execute(transaction);
}

/** Returns the number and sum of the payouts of a batch that were never sent, by currency. */
export async function findUnsent(
  database: Database,
  batchId: string,
): Promise<readonly Omit<StateTotal, "state">[]> {
  const { rows } = await sql<{
    currency: string;
    minor_digits: number;
    count: number;
    amount_minor: string;
  }>`
    select c.currency, c.minor_digits, sum(c.payouts)::int as count, sum(c.amount_minor) as amount_minor
    from batches b join payout_counts c on c.batch_id = b.id
    where b.id = ${batchId}
      and (c.state in ('approved', 'held_back') or b.approved_at is null and c.state = 'awaiting_approval')
    group by 1, 2
    having sum(c.payouts) > 0
    order by 1, 2`.execute(database);
  return rows.map((row) => ({ count: row.count, sum: moneyOf(row) }));
}

/**
 * Counts the work that is due now in one batch and lane, up to `sizeMax`, so that the query costs
 * the same for any batch.
 */
export async function dueWork(
  database: Database,
  batchId: string,
  lane: string,
  sizeMax: number,
): Promise<{ toSend: number; toQuery: number; open: boolean }> {
  const { rows } = await sql<{ to_send: number; to_ask: number; open: boolean }>`
    select
      (select count(*)::int from (select from payouts where batch_id = ${batchId} and lane = ${lane}
        and state = 'approved' and due_at <= now() and ${notBehindCanary(batchId, lane)}
        order by line limit ${sizeMax}) s) as to_send,
      (select count(*)::int from (select from payouts where batch_id = ${batchId} and lane = ${lane}
        and ${AT_GATEWAY} and due_at <= now()
        order by due_at limit ${sizeMax}) a) as to_ask,
      (select true from payouts where batch_id = ${batchId} and lane = ${lane} and state = 'approved'
        order by line limit 1) is true
      or (select true from payouts where batch_id = ${batchId} and lane = ${lane}
        and ${AT_GATEWAY} order by due_at limit 1) is true
      or (select true from payouts where batch_id = ${batchId} and lane = ${lane} and state = 'held_back'
        order by line limit 1) is true as open`.execute(database);
  const { to_send = 0, to_ask = 0, open = false } = rows[0] ?? {};
  return { toSend: to_send, toQuery: to_ask, open };
}

/**
 * Payouts of the lane that are in doubt, over all batches that are being sent. Ordered by the last
 * column of their index, see migrations/0001: any other order would scan all accepted payouts.
 */
const inDoubtInLane = (lane: string) => sql`from (
      select batch_id, amount_minor from payouts where lane = ${lane} and state = 'in_doubt' order by last_sent_at) p
    where batch_id in (select id from batches where state = 'approved')`;

/** Counts and sums the payouts in doubt on a lane, in minor units. */
export async function findInDoubtTotal(database: Database, lane: string): Promise<InDoubtTotal> {
  const { rows } = await sql<{ count: number; minor: string }>`
    select count(*)::int as count, coalesce(sum(amount_minor), 0) as minor ${inDoubtInLane(lane)}`.execute(
    database,
  );
  const [row] = rows;
  return { count: row?.count ?? 0, minor: BigInt(row?.minor ?? 0) };
}

/**
 * Returns the condition of a claim that the lane has not exceeded its in-doubt limit. It is
 * `isAboveLimit` of the circuit breakers, in SQL.
 */
export const isBelowInDoubtLimit = (
  lane: string,
  { count, minor }: InDoubtLimit,
): RawBuilder<boolean> =>
  sql<boolean>`(select count(*) <= ${count}::int
      and coalesce(sum(amount_minor), 0) <= coalesce(${minor?.toString() ?? null}::numeric, 'infinity') ${inDoubtInLane(lane)})`;

/** Returns the payouts of all batches that are in progress or have finished since then. */
export async function findTotalsSince(database: Database, since: Date): Promise<StateTotal[]> {
  const { rows } = await sql<{
    state: PayoutState;
    currency: string;
    minor_digits: number;
    count: number;
    amount_minor: string;
  }>`
    select c.state, c.currency, c.minor_digits, sum(c.payouts)::int as count, sum(c.amount_minor) as amount_minor
    from batches b join payout_counts c on c.batch_id = b.id
    where b.state in ('approved', 'paused') or b.finished_at > ${since}
    group by 1, 2, 3
    having sum(c.payouts) > 0
    order by 2, 1`.execute(database);
  return rows.map((row) => ({ state: row.state, count: row.count, sum: moneyOf(row) }));
}
