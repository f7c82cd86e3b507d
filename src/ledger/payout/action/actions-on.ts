import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Selects the ids of the actions on many payouts that changed one of these payouts, or proposed its
 * result. Their audit lines are part of its evidence.
 *
 * @param payouts selects the ids of payouts, as `id`.
 */
export const selectActionsOn = (payouts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select payout_action_outcomes.action_id
    from (${payouts}) changed_payouts
      join payout_action_outcomes on payout_action_outcomes.payout_id = changed_payouts.id
        and payout_action_outcomes.outcome = 'changed'
    union
    select payout_resolutions.action_id
    from (${payouts}) changed_payouts
      join payout_resolutions on payout_resolutions.payout_id = changed_payouts.id
        and payout_resolutions.action_id is not null`;

/** Returns the ids of the actions that changed this payout, or were to resolve it. */
export async function findActionsOn(database: Database, code: string): Promise<string[]> {
  const payout = sql`select payout_id as id from payout_details where transaction_code = ${code}`;
  const { rows } = await sql<{ action_id: string }>`
    select action_id from (${selectActionsOn(payout)}) actions`.execute(database);
  return rows.map(({ action_id }) => action_id);
}
