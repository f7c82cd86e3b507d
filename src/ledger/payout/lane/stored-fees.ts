import { type RawBuilder, sql } from "kysely";
import { daysTable } from "#ledger/payout/lane/report-totals.ts";
import type { Database } from "#ledger/store/database.ts";

/** Counts the payouts that settled on `fee_days`, and adds up their fees. */
const COUNTED_FEES: RawBuilder<unknown> = sql`
      select fee_days.zone, fee_days.day, fees.*
      from fee_days
        cross join lateral (
          select lane, currency, coalesce(fee_digits, -1) as fee_digits, count(*)::integer as payouts,
            sum(fee_minor) as fee_minor
          from payouts
          where settled_at is not null and settled_at >= starts_at and settled_at < ends_at
          group by lane, currency, fee_digits) fees`;

/** Waits for transactions that change fees, and makes later ones wait until this one ends. */
const lockFees = (transaction: Database) =>
  sql`select pg_advisory_xact_lock(hashtext('payrun report fees'))`.execute(transaction);

/**
 * Stores the fees of up to `limit` days in a zone: report_totals must have them, so no payout
 * settles on them later. Each day has its own transaction, because outcomes that change a fee wait
 * for its end. Returns the number of days that had no stored fees.
 */
export async function storeFeeDays(
  database: Database,
  zone: string,
  limit: number,
): Promise<number> {
  let stored = 0;
  while (stored < limit && (await storeNextDay(database, zone))) stored += 1;
  return stored;
}

/** Returns false if every day has its fees. */
function storeNextDay(database: Database, zone: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockFees(transaction);
    const { rows } = await sql<{ day: string }>`
      select day::text as day from report_days r
      where zone = ${zone}
        and not exists (select from report_fee_days f where f.zone = r.zone and f.day = r.day)
      order by day desc limit 1`.execute(transaction);
    const [next] = rows;
    if (!next) return false;
    await sql`
      insert into report_fee_days (zone, day, starts_at, ends_at)
      select ${zone}, day, starts_at, ends_at from ${daysTable([next.day], zone)}`.execute(
      transaction,
    );
    await sql`
      with
      fee_days as (
        select * from report_fee_days where zone = ${zone} and day = ${next.day}::date
      )
      insert into report_fees (zone, day, lane, currency, fee_digits, payouts, fee_minor)
      ${COUNTED_FEES}`.execute(transaction);
    return true;
  });
}

/** Counts the stored fees again of all days on which a fee has changed. */
export async function recountChangedFees(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockFees(transaction);
    const { rows } = await sql<{ zone: string; day: string }>`
      select zone, day::text as day from report_fee_days d
      where exists (select from changed_fees where settled_at >= starts_at and settled_at < ends_at)`.execute(
      transaction,
    );
    const [zones, days] = [rows.map(({ zone }) => zone), rows.map(({ day }) => day)];
    const changed = sql`select * from unnest(${zones}::text[], ${days}::date[])`;
    await sql`
      delete from report_fees where (zone, day) in (${changed})`.execute(transaction);
    await sql`
      with
      fee_days as (select * from report_fee_days where (zone, day) in (${changed}))
      insert into report_fees (zone, day, lane, currency, fee_digits, payouts, fee_minor)
      ${COUNTED_FEES}`.execute(transaction);
    await sql`delete from changed_fees`.execute(transaction);
  });
}
