import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/**
 * Upper bounds of the duration buckets, in seconds. Migration 0059 and the stored
 * totals of reports use the same buckets, so they never change.
 */
const BOUNDS = sql`array[1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 480, 720, 1200, 1800,
      2700, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 604800, 2147483647]`;

/** The bucket of an interval: its upper bound. 0 if the interval is unknown. */
export const durationClass = (interval: RawBuilder<unknown>): RawBuilder<number> =>
  sql`coalesce((${BOUNDS})[width_bucket(
      greatest(extract(epoch from ${interval}), 0)::float8, ${BOUNDS}::float8[]) + 1], 0)`;

/** The bucket of the time since the first submission; 0 if that time is unknown. */
const DURATION_CLASS = durationClass(sql`now() - first_sent_at`);

const TODAY = sql`(now() at time zone 'UTC')::date`;
const KEY = sql`(day, lane, currency, minor_digits, state, seconds, writer)`;

/**
 * The part of a statement that counts the results among `updated_payouts`, the moved payouts with
 * their event, new state, amount and first submission. Each connection writes rows of its own, so
 * that no connection waits for another.
 */
export const COUNT_RESULTS = sql`
      insert into daily_results as counted
        (day, lane, currency, minor_digits, state, seconds, writer, payouts, amount_minor)
      select ${TODAY}, lane, currency, minor_digits, to_state, ${DURATION_CLASS}, pg_backend_pid(),
        count(*), sum(amount_minor)
      from updated_payouts
      where event is not null
        and to_state in ('settled', 'declined', 'returned')
      group by lane, currency, minor_digits, to_state, 6
      on conflict ${KEY} do update
      set
        payouts = counted.payouts + excluded.payouts,
        amount_minor = counted.amount_minor + excluded.amount_minor`;

/** Merges the rows of the connections on earlier days into one row each. */
export async function mergeDailyResults(database: Database): Promise<void> {
  await sql`
    with merged as (
      delete from daily_results
      where writer <> 0
        and day < ${TODAY}
      returning *
    )
    insert into daily_results as counted
      (day, lane, currency, minor_digits, state, seconds, writer, payouts, amount_minor)
    select day, lane, currency, minor_digits, state, seconds, 0, sum(payouts), sum(amount_minor)
    from merged
    group by day, lane, currency, minor_digits, state, seconds
    on conflict ${KEY} do update
    set
      payouts = counted.payouts + excluded.payouts,
      amount_minor = counted.amount_minor + excluded.amount_minor`.execute(database);
}

/**
 * Number and sum of the payouts of one lane that got their first result, or were returned, on one
 * day (UTC).
 */
export interface DailyResult {
  /** "2026-11-26" */
  readonly day: string;
  readonly lane: string;
  readonly state: "settled" | "declined" | "returned";
  readonly payouts: number;
  readonly sum: Money;
}

/** Returns the results of the last days, including today, oldest first. */
export async function findDailyResults(database: Database, days: number): Promise<DailyResult[]> {
  const { rows } = await sql<{
    day: string;
    lane: string;
    state: DailyResult["state"];
    currency: string;
    minor_digits: number;
    payouts: number;
    amount_minor: string;
  }>`
    select day::text as day, lane, state, currency, minor_digits, sum(payouts)::int as payouts,
      sum(amount_minor)::text as amount_minor
    from daily_results
    where day > ${TODAY} - ${days}::int
    group by day, lane, state, currency, minor_digits
    order by day, lane, state`.execute(database);
  return rows.map((row) => ({
    day: row.day,
    lane: row.lane,
    state: row.state,
    payouts: row.payouts,
    sum: moneyOf(row),
  }));
}
