import { sql } from "kysely";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * State of a batch with a send time. `released`: nothing prevents it from being sent any longer.
 * `unapproved`: it is not sent at its time unless it is approved. `blocked`: exact duplicates block
 * the approval until somebody gives a reason.
 */
export type TimedBatchState =
  | "scheduled"
  | "unapproved"
  | "blocked"
  | "paused"
  | "held_back"
  | "released";

/** The state of batch `b` with send time `s`. */
export const TIMED_BATCH_STATE = sql<TimedBatchState>`case
      when s.released_at is not null then 'released'
      when s.held_back is not null then 'held_back'
      when ${IS_BLOCKED} then 'blocked'
      when b.state in ('needs_correction', 'draft', 'awaiting_approval') then 'unapproved'
      when b.state = 'paused' then 'paused'
      else 'scheduled'
    end`;

/** A batch with a send time, from the occurrence of its schedule or given by a person. */
export interface TimedBatch {
  readonly batchId: string;
  /** The schedule that created it. */
  readonly scheduleId: string | null;
  /** Name of the schedule, or else the name given by the uploader, or the file name. */
  readonly name: string;
  readonly local: string;
  readonly zone: string;
  readonly at: Date;
  readonly lanes: readonly string[];
  readonly state: TimedBatchState;
}

/** Returns the timed batches of a month, "2026-12", in the time zones of their send times. */
export async function findTimedBatches(
  database: Database,
  month: string,
): Promise<readonly TimedBatch[]> {
  const { rows } = await sql<TimedBatch>`
    select b.id as "batchId", o.schedule_id as "scheduleId", coalesce(c.name, b.name, b.file_name) as name, s.local, s.zone, s.send_at as at,
      array(select lane from batch_lanes where batch_id = b.id order by lane) as lanes,
      ${TIMED_BATCH_STATE} as state
    from send_times s join batches b on b.id = s.batch_id
    left join occurrences o on o.batch_id = b.id left join schedules c on c.id = o.schedule_id
    -- A day around it: clocks of all zones show it within these hours.
    where s.send_at between ${`${month}-01`}::timestamptz - interval '2 days' and ${`${month}-01`}::timestamptz + interval '33 days'
      and left(s.local, 7) = ${month} and b.state <> 'cancelled'
      and (not b.cancelling or s.released_at is not null)
    order by s.send_at, b.id limit 2000`.execute(database);
  return rows;
}
