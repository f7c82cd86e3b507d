import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import {
  allOf,
  isInState,
  type PayoutConditions,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/**
 * Maximum count. A larger number is of no use, and counting would take longer than finding the
 * payouts.
 */
export const COUNT_MAX = 1_000;

/** Counts the payouts that match a filter, up to COUNT_MAX + 1. */
export const countPayouts = async (
  database: Database,
  filter: PayoutFilter,
  alternatives: readonly PayoutConditions[],
): Promise<number> =>
  (await storedCount(database, filter)) ??
  (await searchedCount(database, filter.states, alternatives));

/**
 * Counts the payouts of a currency, or of a batch in certain states, by stored totals, because a
 * search would read the whole table or the whole batch. Null: the filter has other conditions.
 */
async function storedCount(
  database: Database,
  { currency, batchId, states, ...others }: PayoutFilter,
): Promise<number | null> {
  if (Object.values(others).some((given) => given !== undefined)) return null;
  if ((currency === undefined) === (batchId === undefined)) return null;
  if (currency !== undefined && states !== undefined) return null;
  const total =
    batchId === undefined
      ? sql`sum(rows) from batch_lanes where currency = ${currency}`
      : sql`sum(payouts) from payout_counts where batch_id = ${batchId}
          and (${states === undefined}::boolean or state = any(${[...(states ?? [])]}::text[]))`;
  const { rows } = await sql<{ count: number }>`
    select least(coalesce((select ${total}), 0), ${sql.lit(COUNT_MAX + 1)})::int as count`.execute(
    database,
  );
  return rows[0]?.count ?? null;
}

/** Counts the payouts that match the alternatives of a search, up to COUNT_MAX + 1. */
async function searchedCount(
  database: Database,
  states: readonly PayoutState[] | undefined,
  alternatives: readonly PayoutConditions[],
): Promise<number> {
  const each = alternatives.map(
    ({ from, where }) => sql`
    (select p.id from ${from} where ${allOf([...where, ...isInState(states)])} limit ${sql.lit(COUNT_MAX + 1)})`,
  );
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from (${sql.join(each, sql` union `)}) c limit ${sql.lit(COUNT_MAX + 1)}) c`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}
