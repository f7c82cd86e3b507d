import { type RawBuilder, sql } from "kysely";
import { MAILED_FEED_EVENTS } from "#operations/feed-events.ts";

/** Users who are notified personally, and whether they also get an e-mail. */
export interface PersonalNotices {
  /**
   * An SQL array of user IDs for each row of `created_notices` (id, event, object, facts). These
   * users find the notice in payrun.
   */
  readonly userIds: RawBuilder<unknown>;
  /** False: no mail server is configured. */
  readonly canMail: boolean;
}

const NOBODY: PersonalNotices = { userIds: sql`'{}'::text[]`, canMail: false };

/** Creates the channel of each of these users to their own address, or updates its address. */
export const personalChannels = (who: RawBuilder<unknown>) => sql`
    personal_channels as (
      insert into channels (id, name, kind, target, events, created_by, user_id)
      select 'CH-' || id, name, 'email', email, '{}', 'payrun', id
      from users
      where ${who}
      on conflict (user_id) do update set name = excluded.name, target = excluded.target
      returning id, user_id
    )`;

/**
 * Creates notices for facts found in the ledger, and their deliveries to channels and people. The
 * key makes each fact one notice, however often it is found.
 */
export const insertNotices = ({ userIds, canMail }: PersonalNotices = NOBODY) => sql`
  ,
    created_notices as (
      insert into notices (id, key, event, object, facts)
      select
        'N' || substr(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 1, 24),
        key, event, object, facts
      from noticed_facts
      on conflict (key) do nothing
      returning id, event, object, facts
    ),
    personal_notices as (
      select distinct created_notices.id as notice_id, person.id as user_id
      from created_notices cross join unnest(${userIds}) as person (id)
    ),
    inbox_entries as (
      insert into inbox (user_id, notice_id) select user_id, notice_id from personal_notices
    ),
    ${personalChannels(sql`${canMail} and id in (select user_id from personal_notices)`)}
    insert into deliveries (notice_id, channel_id)
    select created_notices.id, channels.id
    from created_notices
      join channels
        on channels.ended_at is null
        and channels.user_id is null
        and created_notices.event = any (channels.events)
        -- Webhooks get these from the events of the ledger.
        and not (channels.kind = 'webhook' and created_notices.event = any (${[...MAILED_FEED_EVENTS]}::text[]))
    union all
    select personal_notices.notice_id, personal_channels.id
    from personal_notices join personal_channels using (user_id)`;

/** Whether a user uploaded or edited the batch of a notice, in person or by an API key. */
const IS_AUTHOR = sql`exists (
          select from (
            select maker as actor from batches where id = created_notices.object
            union all
            select actor from batch_editors where batch_id = created_notices.object
          ) editors
          where stands_behind(users.id, editors.actor)
        )`;

/** The users who may approve the batch of a notice and have not approved it. */
export const APPROVERS = sql`array(
      select users.id
      from users
      where users.disabled_at is null
        and 'approver' = any (users.roles)
        and not ${IS_AUTHOR}
        and not exists (
          select from live_approvals
          where batch_id = created_notices.object and user_id = users.id
        )
    )`;

/** The users who uploaded or edited the batch of a notice, in person or by an API key. */
export const UPLOADERS = sql`array(
      select users.id
      from users
      where users.disabled_at is null
        and ${IS_AUTHOR}
    )`;
