import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { type FailureFilter, notPutOff } from "#ledger/operations/failure-groups.ts";
import { lookedFor } from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { FailureCause } from "#ledger/operations/triage.ts";
import type { Money } from "#money/money.ts";

/** A payout that is assigned or snoozed individually, independent of its failure group. */
export interface PayoutTakenUp extends FailureCause {
  readonly code: string;
  readonly money: Money;
  readonly updatedAt: Date;
}

/**
 * Returns the individually assigned or snoozed payouts that match a filter, latest changed first,
 * and their number.
 */
export async function payoutsTakenUp(
  database: Database,
  sealer: Sealer,
  states: readonly FailureCause["state"][],
  filter: FailureFilter,
  limit: number,
): Promise<{ readonly items: readonly PayoutTakenUp[]; readonly total: number }> {
  const looked = await lookedFor(database, sealer, filter);
  if (!looked) return { items: [], total: 0 };
  const { rows } = await sql<{
    code: string;
    state: FailureCause["state"];
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
        sql`not ${notPutOff}`,
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
