import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { IS_REPLACED_BY_RETRY } from "#ledger/payout/lane/retry-results.ts";
import {
  allOf,
  FILTERED_STATE,
  isInState,
  payoutAlternatives,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The number and sum of the payouts found in one state and currency. */
export interface PayoutSum {
  readonly state: PayoutState | "draft" | "blocked";
  readonly payouts: number;
  /** Of these, the payouts that a retry has paid, or whose retry is a failure itself. */
  readonly retried: number;
  readonly money: Money;
}

/** Maximum number of payouts that are summed, so that one request reads a limited number. */
export const SUMMED_MAX = 100_000;

interface Row {
  state: PayoutSum["state"];
  retried: number;
  currency: string;
  minor_digits: number;
  amount_minor: string;
  payouts: number;
}

/** The number of payouts in one state. */
export type StateCount = Pick<PayoutSum, "state" | "payouts">;

/**
 * Returns the number of payouts in each state from the stored counts of their batches, so that no
 * payout is read. Null: the filter has conditions by which no counts are stored.
 */
export async function findStateCounts(
  database: Database,
  { states: _states, awaiting: _awaiting, batchId, currency, lane, ...others }: PayoutFilter,
): Promise<readonly StateCount[] | null> {
  if (Object.values(others).some((given) => given !== undefined)) return null;
  const asked = Object.entries({ batch_id: batchId, currency, lane });
  const where = asked.flatMap(([column, value]) =>
    value === undefined ? [] : [sql`p.${sql.ref(column)} = ${value}`],
  );
  const { rows } = await sql<StateCount>`
    select ${FILTERED_STATE} as state,
      sum(p.payouts)::float8 as payouts
    from payout_counts p where ${allOf(where)}
    group by 1 having sum(p.payouts) <> 0 order by 1`.execute(database);
  return rows;
}

/**
 * Returns the sums by state and currency of the payouts that match a filter, or null if there are
 * more than SUMMED_MAX. All payouts awaiting approval are included.
 */
export async function sumPayouts(
  database: Database,
  sealer: Sealer,
  { awaiting: _awaiting, states, ...filter }: PayoutFilter,
): Promise<readonly PayoutSum[] | null> {
  const alternatives = await payoutAlternatives(database, sealer, filter, "join");
  if (alternatives.length === 0) return [];
  const each = alternatives.map(
    ({ from, where }) => sql`
      (select p.id, ${FILTERED_STATE} as state, p.currency,
        p.minor_digits, p.amount_minor, ${IS_REPLACED_BY_RETRY} as is_retried
      from ${from} where ${allOf([...where, ...isInState(states)])} limit ${sql.lit(SUMMED_MAX + 1)})`,
  );
  const { rows } = await sql<Row>`
    select state, currency, minor_digits, sum(amount_minor)::text as amount_minor, count(*)::int as payouts,
      (count(*) filter (where is_retried))::int as retried
    from (select * from (${sql.join(each, sql` union `)}) each limit ${sql.lit(SUMMED_MAX + 1)}) found
    group by 1, 2, 3 order by 2, 1`.execute(database);
  const count = rows.reduce((sum, { payouts }) => sum + payouts, 0);
  if (count > SUMMED_MAX) return null;
  return rows.map(({ state, payouts, retried, ...money }) => ({
    state,
    payouts,
    retried,
    money: moneyOf(money),
  }));
}
