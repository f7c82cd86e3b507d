import { sql } from "kysely";
import { insertNotices, personalChannels } from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/** Something that was assigned to a user. */
export interface MadeAssignment {
  /** Which page shows it (src/notification/events.ts). */
  readonly kind: "payout" | "failure_group" | "payout_action" | "break" | "break_action";
  /** Transaction code or ID of what was assigned. */
  readonly object: string;
  /** "payout PR4H8QX2M7KC9TZ3WNB6", "25 payouts" */
  readonly what: string;
  /** The assignee as an actor, such as "user:USA1B2C3D4". Null: nobody. */
  readonly to: string | null;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Notifies the assignee, whom `createAssignmentMails` also sends an e-mail, and the channels that
 * receive assignments. Users who assign something to themselves cause no notice.
 */
export async function createAssignmentNotice(
  transaction: Database,
  { kind, object, what, to, actor, at }: MadeAssignment,
): Promise<void> {
  const userId = to?.startsWith("user:") ? to.slice("user:".length) : null;
  if (userId === null || to === actor) return;
  await sql`
    with noticed_facts as (
      select
        'assigned' as event,
        ${object}::text as object,
        jsonb_build_object(
          'file', ${what}::text,
          'kind', ${kind}::text,
          'assigned_to', (select name from users where id = ${userId}::text),
          'by', coalesce((select name from users where ${actor} = 'user:' || id), ${actor})
        ) as facts,
        'assigned ' || ${object}::text || ' ' || ${userId}::text || ' ' || ${at.toISOString()}::text as key
      where not stands_behind(${userId}::text, ${actor}::text)
    ) ${insertNotices({ userIds: sql`array[${userId}]::text[]`, canMail: false })}`.execute(
    transaction,
  );
}

/**
 * Addresses the assignment notices of the last day to the assignees' own e-mail addresses, each
 * once. The notice of a bulk assignment is one e-mail. Users who turned these e-mails off, or who
 * have read the notice in payrun, get none.
 */
export async function createAssignmentMails(
  database: Database,
  { canMail }: { readonly canMail: boolean },
): Promise<void> {
  if (!canMail) return;
  await sql`
    with due as (
      select inbox.notice_id, inbox.user_id
      from notices
        join inbox on inbox.notice_id = notices.id and inbox.read_at is null
        join users on users.id = inbox.user_id
      where notices.event = 'assigned' and notices.at > now() - interval '1 day'
        and users.disabled_at is null and users.mails_assignments
        and not exists (
          select from deliveries join channels on channels.id = deliveries.channel_id
          where deliveries.notice_id = notices.id and channels.user_id = users.id)
    ),
    ${personalChannels(sql`id in (select user_id from due)`)}
    insert into deliveries (notice_id, channel_id)
    select due.notice_id, personal_channels.id from due join personal_channels using (user_id)
    on conflict do nothing`.execute(database);
}
