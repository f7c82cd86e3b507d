import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import type { DueSendTime, SendTime } from "#schedule/release.ts";

/** The recorded send time of a batch. */
export interface RecordedSendTime extends SendTime {
  readonly releasedAt: Date | null;
  /** Reason why it was held back at its send time. */
  readonly heldBack: string | null;
}

/**
 * Returns the condition of a claim that the batch may be sent now: it has no send time, or it was
 * released.
 */
export const isReleased = (batchId: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from send_times where batch_id = ${batchId} and (released_at is null or send_at > now()))`;

/** Condition that batch `b` waits for its send time. */
export const IS_WAITING = sql<boolean>`exists (select from send_times s where s.batch_id = b.id and s.released_at is null)`;

/** Returns the send times of these batches. A batch without one is absent. */
export async function findSendTimes(
  database: Database,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, RecordedSendTime>> {
  if (batchIds.length === 0) return new Map();
  const { rows } = await sql<RecordedSendTime & { batchId: string }>`
    select batch_id as "batchId", send_at as at, local, zone, expires_hours as "expiresHours",
      released_at as "releasedAt", held_back as "heldBack"
    from send_times where batch_id = any(${[...batchIds]})`.execute(database);
  return new Map(rows.map(({ batchId, ...sending }) => [batchId, sending]));
}

/** Sets the send time of a batch. Null: it is sent when it is approved. */
export async function setSendTime(
  transaction: Database,
  { batchId, send, actor }: { batchId: string; send: SendTime | null; actor: string },
): Promise<void> {
  if (send === null) {
    await sql`delete from send_times where batch_id = ${batchId}`.execute(transaction);
    return;
  }
  const { at, local, zone, expiresHours } = send;
  await sql`
    insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
    values (${batchId}, ${at}, ${local}, ${zone}, ${expiresHours}, ${actor})
    on conflict (batch_id) do update set send_at = excluded.send_at, local = excluded.local, zone = excluded.zone,
      expires_hours = excluded.expires_hours, set_by = excluded.set_by, set_at = now(), held_back = null`.execute(
    transaction,
  );
}

/**
 * Thrown when an approver gives a send time that differs from earlier approvals. The approval is
 * rolled back, and the approver sees the message.
 */
export class SendTimeDiffers extends Error {}

const approvedText = (send: SendTime | null): string =>
  send === null
    ? "Other approvers approved this batch to be sent immediately."
    : `Other approvers approved this batch to be sent at ${momentText(send)}, and their approval expires ${send.expiresHours} h after that.`;

const isSameTime = (a: SendTime | null, b: SendTime | null): boolean =>
  a?.at.getTime() === b?.at.getTime() && a?.expiresHours === b?.expiresHours;

/**
 * Sets the send time with an approval and returns it as text. Null: immediately.
 *
 * @throws SendTimeDiffers if somebody else has approved another send time or another period of
 * validity after it.
 */
export async function applySendTime(
  transaction: Database,
  {
    batchId,
    userId,
    send,
  }: {
    readonly batchId: string;
    readonly userId: string;
    readonly send?: SendTime | null | undefined;
  },
  hasOthers: boolean,
): Promise<string | null> {
  const standing = (await findSendTimes(transaction, [batchId])).get(batchId) ?? null;
  if (send === undefined) return standing && momentText(standing);
  if (!isSameTime(standing, send)) {
    if (hasOthers) throw new SendTimeDiffers(approvedText(standing));
    await setSendTime(transaction, { batchId, send, actor: `user:${userId}` });
  }
  return send && momentText(send);
}

/**
 * Returns approved batches whose send time has come and that were not released, oldest time first.
 */
export async function findDueSendTimes(database: Database): Promise<DueSendTime[]> {
  const { rows } = await sql<DueSendTime>`
    select s.batch_id as "batchId", s.send_at as at, s.local, s.zone, s.expires_hours as "expiresHours",
      b.approved_at as "approvedAt", now() as now
    from send_times s join batches b on b.id = s.batch_id
    where s.released_at is null and s.held_back is null and s.send_at <= now() and b.state = 'approved' and not b.cancelling
    order by s.send_at, s.batch_id limit 200`.execute(database);
  return rows;
}

export interface SendTimeDecision {
  readonly batchId: string;
  /** The send time when the rows were checked. The compare-and-set compares it. */
  readonly sendAt: Date;
  /** Null: the batch is released. */
  readonly heldBack: string | null;
}

/**
 * Releases a batch, or holds it back with the reason. Returns false if somebody was first or has
 * changed its send time.
 */
export async function releaseOrHoldBack(
  transaction: Database,
  { batchId, sendAt, heldBack, at }: SendTimeDecision & { readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update send_times s set held_back = ${heldBack}, released_at = case when ${heldBack}::text is null then now() end
    from (select id from batches where id = ${batchId} and state = 'approved' and not cancelling for update) b
    where s.batch_id = b.id and s.send_at = ${sendAt} and s.released_at is null and s.held_back is null and s.send_at <= now()
    returning s.batch_id`.execute(transaction);
  if (rows.length === 0) return false;
  await sql`update batches set reason = ${heldBack}, updated_at = now() where id = ${batchId}`.execute(
    transaction,
  );
  const action = heldBack === null ? "release" : "hold_back";
  const facts = { send_at: sendAt.toISOString(), reason: heldBack };
  await appendAudit(transaction, at, { actor: "tick", action, object: batchId, facts });
  return true;
}

export interface RescheduleOrder {
  readonly batchId: string;
  /** "now": it is sent at the next check, if its rows still pass. */
  readonly to: LocalMoment | "now";
  readonly reason: string;
  readonly actor: string;
}

/**
 * Reschedules a waiting batch, or sets its send time to now, on the decision of a person. "now"
 * also applies to a batch that was held back. Returns false if the batch does not wait, if it was
 * held back and is to be rescheduled without a review, or if the time is not later than the planned
 * one. The approved period of validity after the send time does not change.
 */
export async function reschedule(
  transaction: Database,
  { batchId, to, reason, actor, at }: RescheduleOrder & { readonly at: Date },
): Promise<boolean> {
  const waiting = sql`s.batch_id = b.id and s.released_at is null`;
  const batch = sql`(select id from batches where id = ${batchId} and state in ('approved', 'paused') and not cancelling
    for update) b`;
  const { rows } =
    to === "now"
      ? await sql`
        -- Not finer than the milliseconds in which it comes back to be compared.
        update send_times s set send_at = date_trunc('milliseconds', now()), held_back = null, set_by = ${actor}, set_at = now(),
          local = to_char(now() at time zone s.zone, 'YYYY-MM-DD"T"HH24:MI')
        from ${batch} where ${waiting} returning s.batch_id`.execute(transaction)
      : await sql`
        update send_times s set send_at = ${to.at}, local = ${to.local}, zone = ${to.zone},
          set_by = ${actor}, set_at = now()
        from ${batch} where ${waiting} and s.held_back is null and ${to.at} > greatest(now(), s.send_at)
        returning s.batch_id`.execute(transaction);
  if (rows.length === 0) return false;
  const facts = { send_at: to === "now" ? to : momentText(to), reason };
  const action = to === "now" ? "send_now" : "reschedule";
  await appendAudit(transaction, at, { actor, action, object: batchId, facts });
  return true;
}
