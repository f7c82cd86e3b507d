import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Time for which an expired preview is kept. */
const KEPT_FOR = sql`interval '1 day'`;

/**
 * Deletes the oldest preview that nobody applied and that expired a day ago, with its payouts. A
 * preview has changed nothing, so the audit log contains neither it nor its deletion. Returns
 * whether there was one.
 */
export async function deleteUnusedPreview(transaction: Database): Promise<boolean> {
  await sql`set local statement_timeout = '5min'`.execute(transaction);
  const { rows } = await sql<{ id: string }>`
    delete from payout_actions where id = (
      select id from payout_actions
      where state = 'previewed' and expires_at < now() - ${KEPT_FOR}
      order by expires_at limit 1 for update skip locked)
    returning id`.execute(transaction);
  const [deleted] = rows;
  if (!deleted) return false;
  await sql`delete from payout_action_rows where action_id = ${deleted.id}`.execute(transaction);
  return true;
}
