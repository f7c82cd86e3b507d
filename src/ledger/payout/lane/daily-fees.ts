import { sql } from "kysely";
import { daysTable } from "#ledger/payout/lane/report-totals.ts";
import type { Database } from "#ledger/store/database.ts";
import { feeOfRow } from "#ledger/store/tables.ts";
import { exactTotal, type Money } from "#money/money.ts";
import { daysAfter } from "#reconciliation/statement-time.ts";

/** Fees that the gateway reported for the payouts of one lane that settled on one day. */
export interface DailyFees {
  /** "2026-11-26" */
  readonly day: string;
  readonly lane: string;
  readonly currency: string;
  /** Number of settled payouts with a reported fee. */
  readonly payouts: number;
  /** Number of settled payouts without one. */
  readonly withoutFee: number;
  /** Null: no payout has a reported fee. */
  readonly fee: Money | null;
}

/** The days from `from` to `to`, both included, in a zone. */
export interface FeePeriod {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/**
 * Returns the fees of a period, oldest day first. A fee that the gateway changes later changes the
 * total of the day on which its payout settled. The statement reads stored totals of days without
 * such changes, and for the other days only the index on settled_at.
 */
export async function findDailyFees(
  database: Database,
  { from, to, zone }: FeePeriod,
): Promise<DailyFees[]> {
  const days: string[] = [];
  for (let day = from; day <= to; day = daysAfter(day, 1)) days.push(day);
  const { rows } = await sql<{
    day: string;
    lane: string;
    currency: string;
    payouts: number;
    fee_minor: string | null;
    fee_digits: number | null;
  }>`
    with
    stored_days as materialized (
      select day from report_fee_days
      where zone = ${zone} and day between ${from}::date and ${to}::date
        and not exists (select from changed_fees where settled_at >= starts_at and settled_at < ends_at)
    ),
    other_days as materialized (
      select days.* from ${daysTable(days, zone)}
      where not exists (select from stored_days where stored_days.day = days.day)
    ),
    daily_fees as (
      select day, lane, currency, nullif(fee_digits, -1) as fee_digits, payouts, fee_minor
      from report_fees join stored_days using (day)
      where zone = ${zone}
      union all
      select day, fees.*
      from other_days
        cross join lateral (
          select lane, currency, fee_digits, count(*)::int as payouts, sum(fee_minor) as fee_minor
          from payouts
          where settled_at is not null and settled_at >= starts_at and settled_at < ends_at
          group by lane, currency, fee_digits) fees
    )
    select day::text as day, lane, currency, fee_digits, payouts, fee_minor::text as fee_minor
    from daily_fees
    order by daily_fees.day, lane, currency`.execute(database);
  const groups = Map.groupBy(rows, ({ day, lane, currency }) => `${day} ${lane} ${currency}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { day, lane, currency } = first;
    const sum = (counted: typeof same) => counted.reduce((all, { payouts }) => all + payouts, 0);
    const [withFee, without] = [
      same.filter((row) => row.fee_digits !== null),
      same.filter((row) => row.fee_digits === null),
    ];
    const fee = exactTotal(withFee.flatMap((row) => feeOfRow(row) ?? []));
    return [{ day, lane, currency, payouts: sum(withFee), withoutFee: sum(without), fee }];
  });
}
