import { sql } from "kysely";
import { insertNotices, type PersonalNotices } from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * The users whom a comment concerns, except its author: those it mentions, the author of the
 * comment that it answers, and the uploader of the batch.
 */
const CONCERNED_USERS = sql`array(
      select users.id
      from users
        join comments on comments.id = created_notices.facts ->> 'comment'
        join batches on batches.id = comments.batch_id
        left join comments answered on answered.id = comments.reply_to
      where users.disabled_at is null
        and not stands_behind(users.id, comments.actor)
        and (
          users.id = any (comments.mentions)
          or stands_behind(users.id, answered.actor)
          or stands_behind(users.id, batches.maker)
        )
    )`;

/** The users whom a comment on a break concerns, except its author. */
const USERS_OF_BREAK = sql`array(
      select users.id
      from users
        join break_events on break_events.id = (created_notices.facts ->> 'break_event')::bigint
        join breaks on breaks.id = break_events.break_id
      where users.disabled_at is null
        and not stands_behind(users.id, break_events.actor)
        and (users.id = any (break_events.mentions) or breaks.assignee = 'user:' || users.id)
    )`;

/** Creates notices for the comments on breaks of the last day that have none yet. */
export async function createBreakCommentNotices(
  database: Database,
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  await sql`
    with noticed_facts as (
      select
        'comment_added' as event,
        breaks.id::text as object,
        jsonb_build_object(
          'file', 'break ' || breaks.id || ' of ' || breaks.day,
          'break', breaks.id,
          'break_event', break_events.id,
          'by', coalesce(users.name, break_events.actor),
          'comment_text', left(break_events.text, 500)
        ) as facts,
        'break_comment ' || break_events.id as key
      from break_events
        join breaks on breaks.id = break_events.break_id
        left join users on break_events.actor = 'user:' || users.id
      where break_events.event = 'commented' and break_events.at > now() - interval '1 day'
        and break_events.mentions is not null
    ) ${insertNotices({ userIds: USERS_OF_BREAK, canMail })}`.execute(database);
}

/** Creates notices for the comments of the last day that have none yet. */
export async function createCommentNotices(
  database: Database,
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  await sql`
    with noticed_facts as (
      select
        'comment_added' as event,
        coalesce(payout_details.transaction_code, comments.batch_id) as object,
        jsonb_build_object(
          'file', batches.file_name,
          'comment', comments.id,
          'payout', comments.payout_id is not null,
          'by', coalesce(users.name, comments.actor)
        ) || case
          when comments.sealed is null then jsonb_build_object('comment_text', left(comments.text, 500))
          else '{}'::jsonb
        end as facts,
        'comment_added ' || comments.id as key
      from comments
        join batches on batches.id = comments.batch_id
        left join payout_details on payout_details.payout_id = comments.payout_id
        left join users on comments.actor = 'user:' || users.id
      where comments.at > now() - interval '1 day'
    ) ${insertNotices({ userIds: CONCERNED_USERS, canMail })}`.execute(database);
}
