import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { feeOfRow } from "#ledger/store/tables.ts";
import { exactTotal, type Money } from "#money/money.ts";

/** Fees that the gateway reported for the payouts of one lane that settled on one day (UTC). */
export interface DailyFees {
  /** "2026-11-26" */
  readonly day: string;
  readonly lane: string;
  /** Number of settled payouts with a reported fee. */
  readonly payouts: number;
  readonly fee: Money;
}

/**
 * Returns the fees of the days from `from` to `to`, both included, oldest first. A fee that the
 * gateway changes later changes the total of the day on which its payout settled.
 */
export async function findDailyFees(
  database: Database,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DailyFees[]> {
  const { rows } = await sql<{
    day: string;
    lane: string;
    currency: string;
    payouts: number;
    fee_minor: string;
    fee_digits: number | null;
  }>`
    select (settled_at at time zone 'UTC')::date::text as day, lane, currency, count(*)::int as payouts,
      sum(fee_minor)::text as fee_minor, fee_digits
    from payouts
    where settled_at is not null
      and fee_minor is not null
      and settled_at >= ${from}::date::timestamp at time zone 'UTC'
      and settled_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    group by 1, lane, currency, fee_digits
    order by 1, lane, currency`.execute(database);
  const groups = Map.groupBy(rows, ({ day, lane, currency }) => `${day} ${lane} ${currency}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const fee = exactTotal(same.flatMap((row) => feeOfRow(row) ?? []));
    const payouts = same.reduce((sum, row) => sum + row.payouts, 0);
    return first && fee ? [{ day: first.day, lane: first.lane, payouts, fee }] : [];
  });
}
