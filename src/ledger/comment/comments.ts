import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { MentionableUser } from "#comment/mentions.ts";
import { holdSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { openComment, sealComment } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** The subject of a comment: a batch, or one payout. */
export interface CommentSubject {
  readonly batchId: string;
  /** Null: the batch. */
  readonly payoutId: number | null;
  /** The name in the audit log: the batch ID or the transaction code. */
  readonly object: string;
}

/** A comment as it was written. Only an erasure changes it. */
export interface Comment {
  readonly number: number;
  readonly id: string;
  /** The comment that this one answers. Null: none. */
  readonly replyTo: string | null;
  readonly actor: string;
  /** Null: it was erased. */
  readonly text: string | null;
  readonly mentions: readonly MentionableUser[];
  readonly at: Date;
}

/** Finds a batch by its ID, or a payout by its transaction code. Null: there is none. */
export async function findCommentSubject(
  database: Database,
  asked: { readonly batch: string } | { readonly payout: string },
): Promise<CommentSubject | null> {
  const { rows } = await ("batch" in asked
    ? sql<CommentSubject>`
        select id as "batchId", null::bigint as "payoutId", id as object
        from batches where id = ${asked.batch}`.execute(database)
    : sql<CommentSubject>`
        select p.batch_id as "batchId", p.id as "payoutId", d.transaction_code as object
        from payout_details d join payouts p on p.id = d.payout_id
        where d.transaction_code = ${asked.payout}`.execute(database));
  return rows[0] ?? null;
}

const isAbout = ({ batchId, payoutId }: CommentSubject) =>
  sql`c.batch_id = ${batchId} and c.payout_id is not distinct from ${payoutId}::bigint`;

/** Returns all comments on a subject, oldest first. */
export async function findComments(
  database: Database,
  sealer: Sealer,
  subject: CommentSubject,
): Promise<readonly Comment[]> {
  const { rows } = await sql<Comment & { text: string; sealed: Buffer | null }>`
    select c.number, c.id, c.reply_to as "replyTo", c.actor, c.text, c.sealed, c.at,
      (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by u.name), '[]'::jsonb)
        from users u where u.id = any (c.mentions)) as mentions
    from comments c where ${isAbout(subject)} order by c.number`.execute(database);
  return rows.map(({ sealed, ...comment }) => ({
    ...comment,
    text: sealed === null ? comment.text : openComment(sealer, comment.id, sealed),
  }));
}

/** A comment to store. */
export interface NewComment extends Pick<Comment, "id" | "replyTo" | "actor" | "mentions" | "at"> {
  readonly text: string;
  /** The sealed text. Null: this ledger stores comments unsealed. */
  readonly sealed: Buffer | null;
  readonly subject: CommentSubject;
}

/** Stores a comment. Returns false if it answers a comment on another subject. */
export async function insertComment(
  transaction: Database,
  { id, subject, replyTo, actor, text, sealed, mentions, at }: NewComment,
): Promise<boolean> {
  const ids = mentions.map((user) => user.id);
  const { rows } = await sql`
    insert into comments (id, batch_id, payout_id, reply_to, actor, text, sealed, mentions, at)
    select ${id}, ${subject.batchId}, ${subject.payoutId}::bigint, ${replyTo}::text, ${actor},
      ${sealed === null ? text : ""}, ${sealed}::bytea, ${ids}::text[], ${at}
    where ${replyTo}::text is null
      or exists (select from comments c where c.id = ${replyTo}::text and ${isAbout(subject)})
    returning id`.execute(transaction);
  return rows.length === 1;
}

/** Seals a comment. An erasure waits until the transaction ends. */
export async function sealNewComment(
  transaction: Database,
  sealer: Sealer,
  { id, text }: Pick<NewComment, "id" | "text">,
): Promise<Buffer | null> {
  await holdSubjectKeys(transaction, sealer);
  return sealComment(sealer, id, text);
}

/** Characters of a comment in a notice. */
const SHOWN_MAX = 500;

/** Adds the texts of comments to the facts of notices about them. */
export async function withCommentTexts<
  Notice extends { readonly event: string; readonly facts: Readonly<Record<string, unknown>> },
>(database: Database, sealer: Sealer, notices: readonly Notice[]): Promise<Notice[]> {
  const idOf = ({ event, facts }: Notice): string | null =>
    event === "comment_added" && !("comment_text" in facts) ? String(facts["comment"]) : null;
  const ids = notices.flatMap((notice) => idOf(notice) ?? []);
  if (ids.length === 0) return [...notices];
  const { rows } = await sql<{ id: string; sealed: Buffer | null }>`
    select id, sealed from comments where id = any(${ids}::text[])`.execute(database);
  const texts = new Map(
    rows.map(({ id, sealed }) => [id, sealed && openComment(sealer, id, sealed)]),
  );
  return notices.map((notice) => {
    const text = texts.get(idOf(notice) ?? "");
    if (text == null) return notice;
    return { ...notice, facts: { ...notice.facts, comment_text: text.slice(0, SHOWN_MAX) } };
  });
}

/** Returns the users who can be mentioned: everyone who can sign in, by name. */
export async function findMentionableUsers(
  database: Database,
): Promise<readonly MentionableUser[]> {
  return database
    .selectFrom("users")
    .select(["id", "name"])
    .where("disabled_at", "is", null)
    .where("password", "is not", null)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();
}

/** Returns the number of the last comment that a user has seen; 0 for none. */
export async function findLastSeen(
  database: Database,
  userId: string,
  object: string,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select number from comment_reads where user_id = ${userId} and object = ${object}`.execute(
    database,
  );
  return rows[0]?.number ?? 0;
}

/**
 * Records that a user has seen the comments on an object up to this one, and the notifications
 * about these comments.
 */
export async function markCommentsSeen(
  database: Database,
  { userId, object, commentId }: { userId: string; object: string; commentId: string },
): Promise<void> {
  await sql`
    with seen as (
      select number, id from comments where id = ${commentId}
    ),
    read_notices as (
      update inbox set read_at = now()
      from notices n, comments c, seen
      where inbox.user_id = ${userId} and inbox.read_at is null and n.id = inbox.notice_id
        and n.event = 'comment_added' and n.object = ${object}
        and c.id = n.facts ->> 'comment' and c.number <= seen.number
    )
    insert into comment_reads (user_id, object, number)
    select ${userId}, ${object}, number from seen
    on conflict (user_id, object) do update
    set number = greatest(comment_reads.number, excluded.number)`.execute(database);
}
