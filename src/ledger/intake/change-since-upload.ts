import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A change of an uploaded batch that its file does not show. */
export type ChangeSinceUpload = "edited" | "withdrawn";

/**
 * Returns whether valid rows of a batch were edited after the upload, or whether its uploader
 * withdrew it from approval and has not sent it again. Null: neither.
 */
export async function changeSinceUpload(
  database: Database,
  batchId: string,
): Promise<ChangeSinceUpload | null> {
  const { rows } = await sql<{ isEdited: boolean; isWithdrawn: boolean }>`
    select
      exists (
        select from audit
        where object = ${batchId} and action = 'correct' and facts::jsonb ? 'edited_lines'
      ) as "isEdited",
      coalesce((
        select action = 'withdraw' from audit
        where object = ${batchId} and action in ('withdraw', 'request_approval')
        order by seq desc limit 1
      ), false) as "isWithdrawn"`.execute(database);
  const [found] = rows;
  if (found?.isEdited) return "edited";
  return found?.isWithdrawn ? "withdrawn" : null;
}
