import { sql } from "kysely";
import type { People } from "#approval/approval-policy.ts";
import { approversNeeded } from "#ledger/approval/approvals.ts";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import type { Database } from "#ledger/store/database.ts";

/** A batch that waits for approvals, as seen by one person. */
export interface WaitingBatch {
  readonly batchId: string;
  readonly peopleNeeded: People;
  readonly peopleWhy: string;
  /** Additional approvers due to a soft payout limit, as of the latest approval. */
  readonly limitPeople: 0 | 1;
  /** Number of approvals that count. */
  readonly given: number;
  /** True if the ledger has no users. The operator of the command line then may pay alone. */
  readonly nobodyYet: boolean;
  /** People who may approve the batch and have not approved it yet. */
  readonly able: readonly string[];
  /** True if this person uploaded or edited the batch. */
  readonly own: boolean;
  /** True if this person can approve the batch now. */
  readonly mine: boolean;
  /** True if exact duplicates block the batch until an uploader gives a reason. */
  readonly needsDuplicateReason: boolean;
  /** True if an approval of this person already counts. */
  readonly approved: boolean;
}

/** Returns the waiting batches, oldest first, or the named batch in any state. */
export async function findWaitingBatches(
  database: Database,
  userId: string | null,
  batchId: string | null = null,
): Promise<WaitingBatch[]> {
  const { rows } = await sql<Omit<WaitingBatch, "mine">>`
    with
    shown_batches as (
      select *
      from batches
      where ${batchId}::text is null and state = 'awaiting_approval'
        or id = ${batchId}
      order by created_at
      limit 200
    ),
    -- The people who uploaded or edited a batch, and therefore cannot approve it.
    batch_authors as (
      select id as batch_id, maker as actor
      from shown_batches
      union
      select batch_id, actor
      from batch_editors
      where batch_id in (select id from shown_batches)
    ),
    approvers as (
      select id, name
      from users
      where disabled_at is null
        and 'approver' = any (roles)
    )
    select
      batch.id as "batchId",
      batch.people_needed as "peopleNeeded",
      batch.people_reason as "peopleWhy",
      batch.limit_people as "limitPeople",
      (select count(*)::int from live_approvals where batch_id = batch.id) as given,
      not exists (select from users) as "nobodyYet",
      array(
        select approvers.name
        from approvers
        where not exists (
            select from batch_authors
            where batch_id = batch.id and stands_behind(approvers.id, actor)
          )
          and not exists (
            select from live_approvals
            where batch_id = batch.id and user_id = approvers.id
          )
        order by approvers.name
      ) as able,
      exists (
        select from batch_authors
        where batch_id = batch.id and stands_behind(${userId}::text, actor)
      ) as own,
      exists (
        select from live_approvals
        where batch_id = batch.id and user_id = ${userId}
      ) as approved,
      exists (
        select from batches b
        where b.id = batch.id and ${IS_BLOCKED}
      ) as "needsDuplicateReason"
    from shown_batches batch
    order by batch.created_at`.execute(database);
  const approver = await isApprover(database, userId);
  return rows.map((row) => ({
    ...row,
    mine: approver && !row.own && !row.approved && !row.needsDuplicateReason,
  }));
}

async function isApprover(database: Database, userId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${userId} and disabled_at is null and 'approver' = any (roles)`.execute(
    database,
  );
  return rows.length > 0;
}

/** Returns why the missing approvals cannot be given, or null if enough people can give them. */
export function whyApprovalsMissing(waiting: WaitingBatch): string | null {
  const { batchId, peopleNeeded, limitPeople, given, able } = waiting;
  if (waiting.nobodyYet && peopleNeeded === 1) {
    return `There are no users yet, so no approver was notified. Approve the batch yourself: payrun batch approve ${batchId} --total CUR=AMOUNT.`;
  }
  const missing = approversNeeded(peopleNeeded, limitPeople) - given;
  if (able.length >= missing) return null;
  const who =
    able.length === 0
      ? "no eligible approver is left"
      : `only ${able.join(", ")} can still approve it`;
  return `The batch needs ${missing} more ${missing === 1 ? "approval" : "approvals"} from people who did not upload or edit it, but ${who}. Ask an admin to add an approver.`;
}
