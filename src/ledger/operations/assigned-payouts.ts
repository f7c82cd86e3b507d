import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { IS_REPLACED_BY_RETRY } from "#ledger/payout/lane/retry-results.ts";
import { type FailureFilter, IS_NOT_DEFERRED } from "#ledger/operations/failure-groups.ts";
import { payoutConditions } from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { FailureKey } from "#ledger/operations/failure-assignments.ts";
import type { Money } from "#money/money.ts";

/** A payout that is assigned or snoozed individually, independent of its failure group. */
export interface AssignedPayout extends FailureKey {
  readonly code: string;
  readonly money: Money;
  readonly updatedAt: Date;
}

/**
 * Returns the individually assigned or snoozed payouts that match a filter, latest changed first,
 * and their number.
 */
export async function findAssignedPayouts(
  database: Database,
  sealer: Sealer,
  states: readonly FailureKey["state"][],
  filter: FailureFilter,
  limit: number,
): Promise<{ readonly items: readonly AssignedPayout[]; readonly total: number }> {
  const looked = await payoutConditions(database, sealer, filter);
  if (!looked) return { items: [], total: 0 };
  const { rows } = await sql<{
    code: string;
    state: FailureKey["state"];
    reason: string | null;
    currency: string;
    amount_minor: string;
    minor_digits: number;
    updated_at: Date;
    total: number;
  }>`
    select d.transaction_code as code, p.state, p.reason, p.currency, p.amount_minor, p.minor_digits, p.updated_at,
      count(*) over ()::int as total
    from ${looked.from}
    where ${sql.join(
      [
        sql`p.id = any(array(select t.payout_id from assignments t where t.payout_id is not null
          and (t.assigned_to is not null or t.snoozed_until is not null)))`,
        sql`p.state = any(${[...states]})`,
        sql`not ${IS_NOT_DEFERRED}`,
        sql`not ${IS_REPLACED_BY_RETRY}`,
        ...looked.where,
      ],
      sql` and `,
    )}
    order by p.updated_at desc, p.id desc limit ${sql.lit(limit)}`.execute(database);
  return {
    items: rows.map((row) => ({
      code: row.code,
      state: row.state,
      reason: row.reason,
      money: moneyOf(row),
      updatedAt: row.updated_at,
    })),
    total: rows[0]?.total ?? 0,
  };
}
