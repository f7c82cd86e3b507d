import { sql } from "kysely";
import { describeExactDuplicates, type ExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import {
  insertNotices,
  type PersonalNotices,
  UPLOADERS,
} from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/** The content of a batch, by its digest. */
export interface BatchContent {
  readonly batchId: string;
  readonly contentDigest: string;
}

/**
 * Time for which the approval of another batch may be unknown to a search that started after it,
 * because its transaction was still running.
 */
const APPROVAL_LAG = sql`interval '10 seconds'`;

/**
 * Returns the batches that were sent for approval in the last day and whose current content payrun
 * has not searched for exact duplicates since the latest approval of another batch. Those never
 * searched come first. Batches whose uploaders were notified are left out.
 */
export async function findUncheckedBatches(
  database: Database,
  sizeMax: number,
): Promise<readonly BatchContent[]> {
  const { rows } = await sql<BatchContent>`
    select b.id as "batchId", b.content_digest as "contentDigest"
    from batches b
    where b.state = 'awaiting_approval' and b.approval_requested_at > now() - interval '1 day'
      and b.updated_at > now() - interval '1 day'
      and not exists (select from duplicate_checks c
        where c.batch_id = b.id and c.content_digest = b.content_digest
          and not exists (select from batches o
            -- The first condition uses an index.
            where o.updated_at > c.at - ${APPROVAL_LAG} and o.approved_at > c.at - ${APPROVAL_LAG}
              and o.state <> 'cancelled'))
      and not exists (select from notices
        where key = 'batch_blocked ' || b.id || ' ' || b.content_digest)
    order by (select c.at from duplicate_checks c
        where c.batch_id = b.id and c.content_digest = b.content_digest) nulls first,
      b.approval_requested_at
    limit ${sizeMax}`.execute(database);
  return rows;
}

/** Records that payrun has searched this content for exact duplicates, from this time on. */
export async function recordDuplicateCheck(
  transaction: Database,
  { batchId, contentDigest, at }: BatchContent & { readonly at: Date },
): Promise<void> {
  await sql`
    insert into duplicate_checks (batch_id, content_digest, at) values (${batchId}, ${contentDigest}, ${at})
    on conflict (batch_id, content_digest) do update set at = excluded.at`.execute(transaction);
}

/** Notifies the uploaders once that exact duplicates block the approval of this content. */
export async function createBlockedNotice(
  database: Database,
  { batchId, contentDigest }: BatchContent,
  duplicates: readonly ExactDuplicates[],
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  const reason = duplicates.map(describeExactDuplicates).join(" ");
  await sql`
    with noticed_facts as (
      select
        'batch_blocked' as event,
        id as object,
        jsonb_build_object('file', file_name, 'reason', ${reason}::text) as facts,
        'batch_blocked ' || id || ' ' || ${contentDigest}::text as key
      from batches
      where id = ${batchId}
    ) ${insertNotices({ userIds: UPLOADERS, canMail })}`.execute(database);
}
