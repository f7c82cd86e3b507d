import { sql } from "kysely";
import { insertNotices, type PersonalNotices } from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/** The approvers who could have approved the batch of a notice, or had approved it. */
const ASKED_APPROVERS = sql`array(
      select users.id
      from users
      where users.disabled_at is null
        and 'approver' = any (users.roles)
        and not exists (
          select from (
            select maker as actor from batches where id = created_notices.object
            union all
            select actor from batch_editors where batch_id = created_notices.object
          ) editors
          where stands_behind(users.id, editors.actor)
        )
    )`;

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
    ) ${insertNotices({ userIds: ASKED_APPROVERS, canMail })}`.execute(transaction);
}
