import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import {
  allOf,
  payoutAlternatives,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The number and sum of the payouts found in one state and currency. */
export interface PayoutSum {
  readonly state: PayoutState;
  readonly payouts: number;
  readonly money: Money;
}

/** Maximum number of payouts that are summed, so that one request reads a limited number. */
export const SUMMED_MAX = 100_000;

interface Row {
  state: PayoutState;
  currency: string;
  minor_digits: number;
  amount_minor: string;
  payouts: number;
}

/**
 * Returns the sums by state and currency of the payouts that match a filter, in every state, or
 * null if there are more than SUMMED_MAX.
 */
export async function sumPayouts(
  database: Database,
  sealer: Sealer,
  filter: Omit<PayoutFilter, "states">,
): Promise<readonly PayoutSum[] | null> {
  const alternatives = await payoutAlternatives(database, sealer, filter, "join");
  if (alternatives.length === 0) return [];
  const each = alternatives.map(
    ({ from, where }) => sql`
      (select p.id, p.state, p.currency, p.minor_digits, p.amount_minor
      from ${from} where ${allOf(where)} limit ${sql.lit(SUMMED_MAX + 1)})`,
  );
  const { rows } = await sql<Row>`
    select state, currency, minor_digits, sum(amount_minor)::text as amount_minor, count(*)::int as payouts
    from (select * from (${sql.join(each, sql` union `)}) each limit ${sql.lit(SUMMED_MAX + 1)}) found
    group by 1, 2, 3 order by 2, 1`.execute(database);
  const count = rows.reduce((sum, { payouts }) => sum + payouts, 0);
  if (count > SUMMED_MAX) return null;
  return rows.map((row) => ({ state: row.state, payouts: row.payouts, money: moneyOf(row) }));
}
