import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { inMs } from "#ledger/store/tables.ts";

/** A webhook that receives events of the ledger. */
export interface FeedWebhook {
  readonly id: string;
  readonly target: string;
  readonly secret: Buffer | null;
  readonly types: readonly string[];
  /** Number of the last event that was sent, or that waits as a delivery. */
  readonly lastEvent: number;
}

/** Result of the first attempt to deliver an event. */
export interface FirstDelivery {
  readonly id: string;
  readonly type: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly ok: boolean;
  readonly answer: string;
}

/**
 * Failed deliveries of a webhook after which it gets no further events. They are retried until they
 * succeed or the webhook ends; the events stay in the ledger meanwhile.
 */
const WAITING_MAX = 16;

/** Returns the webhooks for these types that have not reached the last event. */
export async function findFeedWebhooks(
  database: Database,
  types: readonly string[],
): Promise<FeedWebhook[]> {
  const { rows } = await sql<FeedWebhook>`
    select
      id, target, secret, coalesce(last_event, 0) as "lastEvent",
      array(
        select type from unnest(events) as chosen (type) where type = any (${[...types]}::text[])
      ) as types
    from channels
    where kind = 'webhook'
      and ended_at is null
      and last_event < (select max(number) from events)
      and events && ${[...types]}::text[]
      and (
        select count(*) from deliveries where channel_id = channels.id and state = 'waiting'
      ) < ${WAITING_MAX}`.execute(database);
  return rows;
}

/**
 * Records the first attempts of a webhook, and moves its position after them in the same commit. A
 * failed delivery is retried until it succeeds.
 */
export async function recordFirstDeliveries(
  database: Database,
  { id, lastEvent }: Pick<FeedWebhook, "id" | "lastEvent">,
  deliveries: readonly FirstDelivery[],
  retryAfterMs: number,
): Promise<void> {
  await sql`
    with
    attempted_events as (
      select *
      from json_to_recordset(${JSON.stringify(deliveries)}::json) as event(
        id text, type text, object text, facts jsonb, at timestamptz, ok boolean, answer text)
    ),
    -- Another webhook may have received the same event.
    known_notices as (
      insert into notices (id, key, event, object, facts, at)
      select id, 'event ' || id, type, object, facts, at
      from attempted_events
      on conflict do nothing
    ),
    recorded_deliveries as (
      insert into deliveries (notice_id, channel_id, state, attempts, due_at, answer)
      select
        id, ${id}, case when ok then 'delivered' else 'waiting' end, 1,
        now() + ${inMs(retryAfterMs)}, answer
      from attempted_events
      on conflict do nothing
    )
    update channels
    set last_event = ${lastEvent}
    where id = ${id}
      and last_event < ${lastEvent}`.execute(database);
}
