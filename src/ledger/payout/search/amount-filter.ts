import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Range of amounts as decimal text, in every currency. Both ends are included. */
export interface AmountRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The amount of payout_details d in units of its currency, exactly as its index has it. */
export const AMOUNT = sql<string>`(d.amount_minor * d.minor_unit)`;

/** Returns the condition on payout_details d that an amount lies within the range. */
export const amountWithin = ({ from, to }: AmountRange): RawBuilder<unknown> => sql`(
  ${from === undefined ? sql`true` : sql`${AMOUNT} >= ${from}::numeric`}
  and ${to === undefined ? sql`true` : sql`${AMOUNT} <= ${to}::numeric`})`;

const FEW = 5_000;

/**
 * Returns the ids of the payouts within the range, as the text of an array, or null if there are
 * more than FEW. PostgreSQL estimates the number of payouts with such an amount over all currencies
 * together. Where most payouts have another currency, the estimate is too high, and PostgreSQL
 * scans the table for one page of results (measured with a million payouts: 600 ms instead of
 * 8 ms).
 */
export async function findFewWithin(
  database: Database,
  range: AmountRange,
): Promise<string | null> {
  const { rows } = await sql<{ ids: string; count: number }>`
    select coalesce(array_agg(payout_id), '{}')::text as ids, count(*)::int as count
    from (select d.payout_id from payout_details d where ${amountWithin(range)}
      limit ${sql.lit(FEW + 1)}) found`.execute(database);
  const [found] = rows;
  return found && found.count <= FEW ? found.ids : null;
}
