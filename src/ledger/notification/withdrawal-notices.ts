import { sql } from "kysely";
import {
  APPROVERS,
  insertNotices,
  type PersonalNotices,
} from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/** Notifies the approvers of a batch that its uploader withdrew it from approval. */
export async function createWithdrawnNotice(
  transaction: Database,
  { batchId, reason, at }: { readonly batchId: string; readonly reason: string; readonly at: Date },
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  await sql`
    with noticed_facts as (
      select
        'batch_withdrawn' as event,
        id as object,
        jsonb_build_object('file', file_name, 'state', state, 'reason', ${reason}::text) as facts,
        'batch_withdrawn ' || id || ' ' || ${at.toISOString()}::text as key
      from batches
      where id = ${batchId}
    ) ${insertNotices({ userIds: APPROVERS, canMail })}`.execute(transaction);
}
