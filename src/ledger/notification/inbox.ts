import { sql } from "kysely";
import { withCommentTexts } from "#ledger/comment/comments.ts";
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
}

/** Returns the notices of a user, unread ones first, then the latest. */
export async function findInbox(
  database: Database,
  sealer: Sealer,
  userId: string,
  limit: number,
): Promise<readonly InboxNotice[]> {
  const { rows } = await sql<InboxNotice>`
    select n.id, n.event, n.object, n.facts, n.at, i.read_at is not null as "isRead"
    from inbox i join notices n on n.id = i.notice_id
    where i.user_id = ${userId}
    order by i.read_at is not null, n.at desc limit ${limit}`.execute(database);
  return withCommentTexts(database, sealer, rows);
}

/** Returns the number of notices that a user has not read. */
export async function countUnreadNotices(database: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from inbox where user_id = ${userId} and read_at is null`.execute(
    database,
  );
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
