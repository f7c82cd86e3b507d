import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** An approved batch that waits for its send time. */
export interface ComingBatch {
  readonly id: string;
  readonly name: string;
  readonly at: Date;
  readonly local: string;
  readonly zone: string;
  readonly payouts: number;
}

/** Returns the batches that wait for their send time, earliest first. */
export async function findComingBatches(database: Database, limit: number): Promise<ComingBatch[]> {
  const { rows } = await sql<ComingBatch>`
    select batches.id, coalesce(batches.name, batches.file_name) as name, send_times.send_at as at,
      send_times.local, send_times.zone, batches.rows - batches.rejected as payouts
    from send_times
      join batches on batches.id = send_times.batch_id
    where send_times.released_at is null
      and send_times.held_back is null
      and send_times.send_at > now()
      and batches.state = 'approved'
      and not batches.cancelling
    order by send_times.send_at, batches.id
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
