import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { withCommentTexts } from "#ledger/comment/comments.ts";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A notice for one user. */
export interface InboxNotice {
  readonly id: string;
  readonly event: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly isRead: boolean;
  /** It asks for a decision that is no longer needed. */
  readonly isDecided: boolean;
  /** The present state of its batch. Null: its subject is another. */
  readonly batchState: BatchState | null;
}

/** The notices `n` of users `i`, with their batches `b`. */
const NOTICES = sql`inbox i join notices n on n.id = i.notice_id
      left join batches b on b.id = n.object and n.event like 'batch_%'`;

/**
 * The condition that a notice asks for a decision that is no longer needed: another user
 * has made it, or the rows have changed, for which there is another notice.
 */
const IS_DECIDED = sql<boolean>`coalesce(case n.event
      when 'batch_awaiting_approval' then b.state <> 'awaiting_approval'
        or not starts_with(n.key, 'batch_awaiting_approval ' || b.id || ' ' || b.content_digest)
        or exists (select from live_approvals l where l.batch_id = b.id and l.user_id = i.user_id)
      when 'batch_blocked' then not (${IS_BLOCKED})
      when 'people' then n.facts ->> 'action' = 'propose_change' and exists (
        select from pending_changes c
        where c.id = n.object and (c.outcome is not null or c.expires_at <= now()))
    end, false)`;

/** Returns the notices of a user, unread ones first, then the latest. */
export async function findInbox(
  database: Database,
  sealer: Sealer,
  userId: string,
  limit: number,
): Promise<readonly InboxNotice[]> {
  const { rows } = await sql<InboxNotice>`
    select * from (
      select n.id, n.event, n.object, n.facts, n.at, b.state as "batchState", ${IS_DECIDED} as "isDecided",
        i.read_at is not null or ${IS_DECIDED} as "isRead"
      from ${NOTICES} where i.user_id = ${userId}
    ) own
    order by "isRead", at desc limit ${limit}`.execute(database);
  return withCommentTexts(database, sealer, rows);
}

/** Returns the number of notices that a user has not read and that still concern them. */
export async function countUnreadNotices(database: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${NOTICES}
    where i.user_id = ${userId} and i.read_at is null and not ${IS_DECIDED}`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Marks notices of a user as read. */
export async function markNoticesRead(
  database: Database,
  userId: string,
  noticeIds: readonly string[],
): Promise<void> {
  await sql`
    update inbox set read_at = now()
    where user_id = ${userId} and notice_id = any (${[...noticeIds]}::text[]) and read_at is null`.execute(
    database,
  );
}
