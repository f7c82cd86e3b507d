import { sql } from "kysely";
import { withCommentTexts } from "#ledger/comment/comments.ts";
import type { DueDelivery } from "#ledger/notification/notices.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A notice as a channel receives it. */
export interface DeliveredNotice
  extends Pick<DueDelivery, "event" | "object" | "facts" | "at" | "kind"> {}

/** Returns the notice of a delivery. Null: there is no such delivery. */
export async function findDeliveredNotice(
  database: Database,
  sealer: Sealer,
  { noticeId, channelId }: Pick<DueDelivery, "noticeId" | "channelId">,
): Promise<DeliveredNotice | null> {
  const { rows } = await sql<DeliveredNotice>`
    select n.event, n.object, n.facts, n.at, c.kind
    from deliveries d join notices n on n.id = d.notice_id join channels c on c.id = d.channel_id
    where d.notice_id = ${noticeId} and d.channel_id = ${channelId}`.execute(database);
  const [found] = await withCommentTexts(database, sealer, rows);
  return found ?? null;
}

/**
 * Sends a notice again, whatever its result, which becomes an earlier attempt. Returns false if
 * there is no such delivery or its channel has ended.
 */
export async function replayDelivery(
  database: Database,
  { noticeId, channelId }: Pick<DueDelivery, "noticeId" | "channelId">,
): Promise<boolean> {
  const { rows } = await sql`
    update deliveries d set state = 'waiting', attempts = 0, answer = null,
      due_at = now(), updated_at = now()
    from channels c where c.id = d.channel_id and c.ended_at is null
      and d.notice_id = ${noticeId} and d.channel_id = ${channelId}
    returning d.notice_id`.execute(database);
  return rows.length > 0;
}

/** One attempt to deliver a notice. */
export interface DeliveryAttempt {
  readonly at: Date;
  readonly delivered: boolean;
  readonly answer: string;
}

/** Maximum number of attempts that are shown. */
const ATTEMPTS_SHOWN = 100;

/**
 * Returns the last attempts of a delivery, latest first. `deliveries` has the last one, and the
 * database keeps each one that is replaced.
 */
export async function findDeliveryAttempts(
  database: Database,
  { noticeId, channelId }: Pick<DueDelivery, "noticeId" | "channelId">,
): Promise<DeliveryAttempt[]> {
  const { rows } = await sql<DeliveryAttempt>`
    select at, delivered, answer from delivery_attempts
    where notice_id = ${noticeId} and channel_id = ${channelId}
    union all
    select updated_at, state = 'delivered', answer from deliveries
    where notice_id = ${noticeId} and channel_id = ${channelId} and answer is not null
    order by at desc
    limit ${ATTEMPTS_SHOWN}`.execute(database);
  return rows;
}

export interface DeliveryLine {
  readonly noticeId: string;
  readonly channelId: string;
  readonly channel: string;
  readonly event: string;
  readonly object: string;
  readonly at: Date;
  readonly state: "waiting" | "delivered" | "given_up";
  readonly attempts: number;
  readonly dueAt: Date;
  readonly answer: string | null;
  readonly updatedAt: Date;
}

/** Returns the deliveries, latest first. */
export async function findDeliveries(database: Database, limit: number): Promise<DeliveryLine[]> {
  const { rows } = await sql<DeliveryLine>`
    select d.notice_id as "noticeId", d.channel_id as "channelId", c.name as channel, n.event, n.object, n.at,
      d.state, d.attempts, d.due_at as "dueAt", d.answer, d.updated_at as "updatedAt"
    from (select * from deliveries order by updated_at desc limit ${limit}) d
    join notices n on n.id = d.notice_id join channels c on c.id = d.channel_id
    order by d.updated_at desc`.execute(database);
  return rows;
}
