import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A webhook that has not received an event. */
export interface WebhookDelay {
  readonly id: string;
  readonly name: string;
  /** Time of the oldest event that it has not received. */
  readonly since: Date;
}

/** Events that are searched for the first one that a webhook receives. */
const SCANNED_MAX = 10_000;

/**
 * Returns the webhooks with undelivered events, the one that waits longest first. The oldest event
 * is one whose delivery has failed, one after the position of the webhook, or one without a number.
 */
export async function findWebhookDelays(database: Database): Promise<WebhookDelay[]> {
  const { rows } = await sql<WebhookDelay>`
    select channels.id, channels.name, undelivered.since
    from channels
      cross join lateral (
        select least(
          (
            select min(notices.at)
            from deliveries
              join notices on notices.id = deliveries.notice_id
            where deliveries.channel_id = channels.id
              and deliveries.state = 'waiting'
          ),
          (
            select next_events.at
            from (
              select number, type, at
              from events
              where number > channels.last_event
              order by number
              limit ${SCANNED_MAX}
            ) next_events
            where next_events.type = any (channels.events)
            order by next_events.number
            limit 1
          ),
          (
            select unnumbered_events.at
            from (
              select id, type, at from unpublished_events order by id limit ${SCANNED_MAX}
            ) unnumbered_events
            where unnumbered_events.type = any (channels.events)
            order by unnumbered_events.id
            limit 1
          )
        ) as since
      ) undelivered
    where channels.kind = 'webhook'
      and channels.ended_at is null
      and undelivered.since is not null
    order by undelivered.since, channels.id`.execute(database);
  return rows;
}
