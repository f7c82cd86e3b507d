import { sql } from "kysely";
import { withCommentTexts } from "#ledger/comment/comments.ts";
import { verifyGrownAudit } from "#ledger/integrity/audit-growth.ts";
import {
  APPROVERS,
  insertNotices,
  type PersonalNotices,
  UPLOADERS,
} from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { inMs } from "#ledger/store/tables.ts";

/** Batches that changed in the last day, with the facts of their notices. */
const RECENT_BATCHES = sql`
    recent_batches as (
      select
        batches.*,
        jsonb_build_object(
          'file', file_name,
          'state', state,
          'rows', rows - rejected,
          'reason', reason,
          'totals', (
            select jsonb_object_agg(currency, total)
            from (
              -- A product of numerics keeps all digits, but a quotient does not.
              select
                currency,
                round(sum(total_minor) * 10::numeric ^ -max(minor_digits), max(minor_digits))::text as total
              from batch_lanes
              where batch_id = batches.id
              group by currency
            ) totals
          )
        ) as batch_facts
      from batches
      where updated_at > now() - interval '1 day'
    )`;

/**
 * Creates notices for events of batches in the last day that have none yet. A batch may be paused
 * or sent back again. `updated_at` distinguishes these events, so other changes must not set it.
 */
export async function createBatchNotices(
  database: Database,
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  const userIds = sql`case event
    when 'batch_awaiting_approval' then ${APPROVERS}
    when 'batch_sent_back' then ${UPLOADERS}
    else '{}'::text[]
  end`;
  await sql`
    with
    ${RECENT_BATCHES},
    noticed_facts as (
      select
        'batch_awaiting_approval' as event,
        id as object,
        batch_facts as facts,
        'batch_awaiting_approval ' || id || ' ' || content_digest || ' ' || approval_requested_at as key
      from recent_batches
      where state = 'awaiting_approval'
        and approval_requested_at is not null
      union all
      select 'batch_sent_back', id, batch_facts, 'batch_sent_back ' || id || ' ' || updated_at
      from recent_batches
      where state = 'needs_correction'
        and reason is not null
      union all
      select 'batch_approved', id, batch_facts, 'batch_approved ' || id
      from recent_batches
      where approved_at > now() - interval '1 day'
      union all
      select
        'batch_held_back',
        recent_batches.id,
        batch_facts,
        'batch_held_back ' || recent_batches.id || ' ' || send_times.set_at
      from recent_batches
        join send_times on send_times.batch_id = recent_batches.id
      where send_times.held_back is not null
      union all
      select
        'schedule_missed',
        schedules.id,
        jsonb_build_object('schedule', schedules.name, 'time', occurrences.local, 'reason', occurrences.reason),
        'schedule_missed ' || schedules.id || ' ' || occurrences.day || ' ' || occurrences.updated_at
      from occurrences
        join schedules on schedules.id = occurrences.schedule_id
      where occurrences.state in ('missed', 'failed')
        and occurrences.updated_at > now() - interval '1 day'
      union all
      select 'batch_paused', id, batch_facts, 'batch_paused ' || id || ' ' || updated_at
      from recent_batches
      where state = 'paused'
        and not cancelling
      union all
      select 'batch_partly_cancelled', id, batch_facts, 'batch_partly_cancelled ' || id
      from recent_batches
      where cancelling
        and state <> 'cancelled'
      union all
      select 'batch_' || state, id, batch_facts, 'batch_' || state || ' ' || id
      from recent_batches
      where state in ('finished', 'finished_with_exceptions', 'cancelled')
    ) ${insertNotices({ userIds, canMail })}`.execute(database);
}

/**
 * Creates a daily notice with the latest line and hash of the audit log, and the root to which
 * evidence packs lead. A person who could rewrite the log cannot withdraw that notice.
 */
export async function createAuditHashNotice(database: Database): Promise<void> {
  const { rows } = await sql`
    select from notices where key = 'audit_checkpoint ' || current_date`.execute(database);
  if (rows.length > 0) return;
  const verdict = await verifyGrownAudit(database, new Date());
  const root = verdict.intact && verdict.lines > 0 ? `${verdict.lines}:${verdict.root}` : null;
  await sql`
    with noticed_facts as (
      select
        'audit_checkpoint' as event,
        seq || ':' || encode(hash, 'hex') as object,
        jsonb_build_object('line', seq, 'root', ${root}::text) as facts,
        'audit_checkpoint ' || current_date as key
      from audit
      order by seq desc
      limit 1
    ) ${insertNotices()}`.execute(database);
}

/**
 * Minimum time between the end of an alarm and a new one. An alarm that returns earlier continues
 * without a new notice.
 */
const ALARM_PAUSE_MIN = sql`interval '10 minutes'`;

/** Creates notices for new alarms, and for alarms that ended a while ago. */
export async function createAlarmNotices(
  database: Database,
  alarms: readonly { readonly code: string; readonly says: string }[],
): Promise<void> {
  const codes = alarms.map(({ code }) => code);
  await sql`
    with
    current_alarms as (
      select *
      from unnest(${codes}::text[], ${alarms.map(({ says }) => says)}::text[]) as alarm (code, text)
    ),
    paused_alarms as (
      update raised_alarms
      set ended_at = now()
      where ended_at is null
        and code <> all (${codes}::text[])
    ),
    ended_alarms as (
      delete from raised_alarms
      where ended_at < now() - ${ALARM_PAUSE_MIN}
        and code <> all (${codes}::text[])
      returning *
    ),
    -- An alarm that returns after a while is a new one.
    continued_alarms as (
      insert into raised_alarms (code, text)
      select code, text
      from current_alarms
      on conflict (code) do update
      set
        ended_at = null,
        text = excluded.text,
        raised_at = case
          when raised_alarms.ended_at < now() - ${ALARM_PAUSE_MIN} then now()
          else raised_alarms.raised_at
        end
      returning *
    ),
    noticed_facts as (
      select
        'alarm_raised' as event,
        code as object,
        jsonb_build_object('text', text, 'since', raised_at) as facts,
        'alarm_raised ' || code || ' ' || raised_at as key
      from continued_alarms
      union all
      select
        'alarm_ended',
        code,
        jsonb_build_object('since', raised_at, 'until', ended_at),
        'alarm_ended ' || code || ' ' || raised_at
      from ended_alarms
    ) ${insertNotices()}`.execute(database);
}

export interface DueDelivery {
  readonly noticeId: string;
  readonly channelId: string;
  readonly event: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly kind: "email" | "webhook";
  readonly target: string;
  readonly secret: Buffer | null;
  /** The user whose own address is used. Null: a channel that an admin created. */
  readonly userId: string | null;
  /** Number of deliveries tried, including this one. */
  readonly attempts: number;
  /** Whether it is an event of the ledger's feed, of which a webhook must get all. */
  readonly isFeedEvent: boolean;
}

/** Takes due deliveries with a lease. If the process dies, they are tried again. */
export async function claimDeliveries(
  database: Database,
  sealer: Sealer,
  { sizeMax, leaseMs }: { readonly sizeMax: number; readonly leaseMs: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with taken as (
      update deliveries d set attempts = attempts + 1, due_at = now() + ${inMs(leaseMs)}
      where (notice_id, channel_id) in (
        select notice_id, channel_id from deliveries where state = 'waiting' and due_at <= now()
        order by due_at limit ${sizeMax} for update skip locked)
      returning *
    )
    select t.notice_id as "noticeId", t.channel_id as "channelId", t.attempts, n.event, n.object, n.facts, n.at,
      c.kind, c.target, c.secret, c.user_id as "userId", n.key like 'event %' and c.ended_at is null as "isFeedEvent"
    from taken t join notices n on n.id = t.notice_id join channels c on c.id = t.channel_id`.execute(
    database,
  );
  return withCommentTexts(database, sealer, rows);
}

/**
 * Records the result of a delivery.
 *
 * @param retryAfterMs null: it was the last try.
 */
export async function recordDelivery(
  database: Database,
  { noticeId, channelId }: Pick<DueDelivery, "noticeId" | "channelId">,
  outcome: { readonly ok: boolean; readonly says: string; readonly retryAfterMs: number | null },
): Promise<void> {
  const { ok, says, retryAfterMs } = outcome;
  await sql`
    update deliveries set answer = ${says}, updated_at = now(),
      state = ${ok ? "delivered" : retryAfterMs === null ? "given_up" : "waiting"},
      due_at = now() + ${inMs(retryAfterMs ?? 0)}
    where notice_id = ${noticeId} and channel_id = ${channelId} and state = 'waiting'`.execute(
    database,
  );
}
