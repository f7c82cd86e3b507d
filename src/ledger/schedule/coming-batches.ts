import { sql } from "kysely";
import { TIMED_BATCH_STATE, type TimedBatchState } from "#ledger/schedule/timed-batches.ts";
import { batchTitle } from "#ledger/intake/title/batch-title.ts";
import type { Database } from "#ledger/store/database.ts";

/** A batch that waits for its send time. */
export interface ComingBatch {
  readonly id: string;
  readonly name: string;
  readonly at: Date;
  readonly local: string;
  readonly zone: string;
  readonly payouts: number;
  readonly state: TimedBatchState;
}

/** Returns the batches that wait for their send time, earliest first. */
export async function findComingBatches(database: Database, limit: number): Promise<ComingBatch[]> {
  const { rows } = await sql<ComingBatch>`
    select b.id, ${batchTitle("b")} as name, s.send_at as at, s.local, s.zone,
      b.rows - b.rejected as payouts, ${TIMED_BATCH_STATE} as state
    from send_times s
      join batches b on b.id = s.batch_id
    where s.released_at is null
      and s.held_back is null
      and s.send_at > now()
      and b.state in ('needs_correction', 'draft', 'awaiting_approval', 'approved', 'paused')
      and not b.cancelling
    order by s.send_at, b.id
    limit ${limit}`.execute(database);
  return rows;
}

/** Returns the number of payouts of each lane in batches that are not approved yet. */
export async function countUnapproved(database: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ lane: string; payouts: number }>`
    select batch_lanes.lane, sum(batch_lanes.rows)::int as payouts
    from batches
      join batch_lanes on batch_lanes.batch_id = batches.id
    where batches.state in ('needs_correction', 'draft', 'awaiting_approval')
    group by 1`.execute(database);
  return new Map(rows.map(({ lane, payouts }) => [lane, payouts]));
}
