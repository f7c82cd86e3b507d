import { type RawBuilder, sql } from "kysely";
import { durationClass } from "#ledger/payout/lane/daily-results.ts";
import { IS_REPLACED_BY_RETRY } from "#ledger/payout/lane/retry-results.ts";
import type { Database } from "#ledger/store/database.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import { businessDay } from "#reconciliation/statement-time.ts";

/** A period of days in a time zone, and the payouts of the period. */
export interface ReportFilter {
  /** First day: "2026-11-26". */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
  readonly zone: string;
  /** Absent: all lanes. */
  readonly lane?: string | undefined;
  /** Absent: all currencies. */
  readonly currency?: string | undefined;
}

/**
 * Number and sum of the payouts of a lane that settled, were declined or were returned on one day,
 * with one class of the time from the batch's approval to the settlement.
 */
export interface ReportTotal {
  readonly day: string;
  readonly lane: string;
  readonly state: "settled" | "declined" | "returned";
  /** Upper bound of the class; 0 if the payout did not settle. */
  readonly seconds: number;
  readonly payouts: number;
  readonly sum: Money;
}

interface Row {
  readonly day: string;
  readonly lane: string;
  readonly currency: string;
  readonly minor_digits: number;
  readonly state: ReportTotal["state"];
  readonly seconds: number;
  readonly payouts: number;
  readonly amount_minor: string;
}

/** The days with their start and end as a table `days`. */
export function daysTable(days: readonly string[], zone: string): RawBuilder<unknown> {
  const bounds = days.map((day) => businessDay(day, zone));
  return sql`unnest(${days}::date[], ${bounds.map(({ from }) => from)}::timestamptz[],
      ${bounds.map(({ to }) => to)}::timestamptz[]) as days (day, starts_at, ends_at)`;
}

/**
 * Counts the results on `counted_days`. Settled payouts are found by the index on settled_at, the
 * other results by the time of their transition. The planner cannot see that the days are few, so
 * the statement also names their first and last moment.
 */
function countResults(days: readonly string[], zone: string): RawBuilder<unknown> {
  const [first = EPOCH, last = first] = [days[0], days.at(-1)];
  const [startsAt, endsAt] = [businessDay(first, zone).from, businessDay(last, zone).to];
  return sql`
      select day, lane, currency, minor_digits, state, seconds, count(*)::integer as payouts,
        sum(amount_minor) as amount_minor
      from (
        select d.day, p.lane, p.currency, p.minor_digits, 'settled' as state,
          ${durationClass(sql`p.settled_at - b.approved_at`)} as seconds, p.amount_minor
        from counted_days d
          join payouts p on p.settled_at is not null and p.settled_at >= d.starts_at and p.settled_at < d.ends_at
          join batches b on b.id = p.batch_id
        union all
        select d.day, p.lane, p.currency, p.minor_digits,
          case t.event when 'decline' then 'declined' else 'returned' end, 0, p.amount_minor
        from counted_days d
          join transitions t on t.at >= d.starts_at and t.at < d.ends_at and t.event in ('decline', 'return')
          join payouts p on p.id = t.payout_id
        where t.at >= ${startsAt} and t.at < ${endsAt}
      ) results
      group by day, lane, currency, minor_digits, state, seconds`;
}

/**
 * Counts the declined payouts of these days that a retry has paid or that count with their retry,
 * as negative numbers: the stored totals of a day contain them for ever. Declined payouts are older
 * than the end of their batch, so it reads the retries of few batches.
 */
function countReplaced(days: readonly string[], zone: string): RawBuilder<unknown> {
  const [first = EPOCH, last = first] = [days[0], days.at(-1)];
  const [startsAt, endsAt] = [businessDay(first, zone).from, businessDay(last, zone).to];
  return sql`
      select days.day, p.lane, p.currency, p.minor_digits, 'declined' as state, 0 as seconds,
        -count(*)::integer as payouts, -sum(p.amount_minor) as amount_minor
      from descendants x
        join payouts p on p.id = x.parent_id
        join transitions t on t.payout_id = p.id and t.event = 'decline'
        join ${daysTable(days, zone)} on t.at >= days.starts_at and t.at < days.ends_at
      where x.live
        and x.parent_id >= (select min(first_id) from batches
          where finished_at is null or finished_at >= ${startsAt})
        and t.at >= ${startsAt} and t.at < ${endsAt}
        and p.state = 'declined' and ${IS_REPLACED_BY_RETRY}
      group by days.day, p.lane, p.currency, p.minor_digits`;
}

/** The period of a statement that counts no days. */
const EPOCH = "1970-01-01";

/** Returns the totals of a period, oldest day first. */
export async function findReportTotals(
  database: Database,
  { from, to, zone, lane, currency }: ReportFilter,
): Promise<ReportTotal[]> {
  const days = await findDays(database, { from, to, zone });
  const missing = days.flatMap(({ day, isStored }) => (isStored ? [] : [day]));
  const { rows } = await sql<Row>`
    with
    counted_days as (select * from ${daysTable(missing, zone)}),
    totals as (
      select day, lane, currency, minor_digits, state, seconds, payouts, amount_minor
      from report_totals
      where zone = ${zone} and day between ${from}::date and ${to}::date and day <> all(${missing}::date[])
      union all
      (${countResults(missing, zone)})
      union all
      (${countReplaced(
        days.map(({ day }) => day),
        zone,
      )})
    )
    select day::text as day, lane, currency, minor_digits, state, seconds,
      sum(payouts)::integer as payouts, sum(amount_minor)::text as amount_minor
    from totals
    where (${lane ?? null}::text is null or lane = ${lane ?? null}::text)
      and (${currency ?? null}::text is null or currency = ${currency ?? null}::text)
    group by day, currency, lane, state, seconds, minor_digits
    having sum(payouts) <> 0
    order by day, currency, lane, state, seconds, minor_digits`.execute(database);
  return rows.map((row) => ({
    day: row.day,
    lane: row.lane,
    state: row.state,
    seconds: row.seconds,
    payouts: row.payouts,
    sum: moneyOf(row),
  }));
}

/** Returns the days of a period since the first batch, and whether their totals are stored. */
async function findDays(
  database: Database,
  { from, to, zone }: Pick<ReportFilter, "from" | "to" | "zone">,
): Promise<{ readonly day: string; readonly isStored: boolean }[]> {
  const { rows } = await sql<{ day: string; isStored: boolean }>`
    select day::date::text as day,
      exists (select from report_days r where r.zone = ${zone} and r.day = day.day::date) as "isStored"
    from generate_series(
        greatest(${from}::date, (select min(created_at)::date - 1 from batches)),
        least(${to}::date, now()::date + 1), interval '1 day') day
    order by day`.execute(database);
  return rows;
}

/**
 * A day's totals are stored this long after its end. The time of a result is the start of its
 * transaction, and no transaction is open for as long.
 */
const STORED_AFTER_MS = 24 * 3_600_000;

/**
 * Stores the totals of finished days in a zone, the latest first. Returns the number of days that
 * it counted; fewer than `limit` means that no finished day is left.
 */
export async function storeReportDays(
  database: Database,
  zone: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ now: Date; from: string | null; to: string }>`
    select now() as now, (min(created_at)::date - 1)::text as "from", now()::date::text as "to"
    from batches`.execute(database);
  const [period] = rows;
  if (period?.from == null) return 0;
  const { now, from, to } = period;
  const isFinished = (day: string): boolean =>
    businessDay(day, zone).to.getTime() + STORED_AFTER_MS <= now.getTime();
  const days = await findDays(database, { from, to, zone });
  const finished = days
    .flatMap(({ day, isStored }) => (!isStored && isFinished(day) ? [day] : []))
    .slice(-limit);
  if (finished.length === 0) return 0;
  await sql`
    with
    stored_days as (
      insert into report_days (zone, day)
      select ${zone}, day from unnest(${finished}::date[]) day
      on conflict do nothing
      returning day
    ),
    counted_days as (
      select days.* from ${daysTable(finished, zone)} join stored_days on stored_days.day = days.day
    )
    insert into report_totals (zone, day, lane, currency, minor_digits, state, seconds, payouts, amount_minor)
    select ${zone}, counted.* from (${countResults(finished, zone)}) counted`.execute(database);
  return finished.length;
}

/** The time zone of the business days of a lane. */
export interface LaneZone {
  readonly lane: string;
  readonly zone: string;
}

/**
 * Returns every lane with the zone of its daily close, or else of its statements, or else UTC.
 */
export async function findLaneZones(database: Database): Promise<LaneZone[]> {
  const { rows } = await sql<LaneZone>`
    select lanes.lane, coalesce(o.zone, (
      select m.zone from statement_mappings m
      where m.merchant_code || '/' || m.currency = lanes.lane
      order by m.version desc limit 1), 'UTC') as zone
    from (select distinct lane from batch_lanes) lanes left join opening_balances o on o.lane = lanes.lane
    order by lanes.lane`.execute(database);
  return rows;
}
