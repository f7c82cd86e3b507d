import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** A batch that was given a time by a person. */
export interface TimedBatch {
  readonly batchId: string;
  /** As whoever brought it calls it, or its file. */
  readonly name: string;
  readonly local: string;
  readonly zone: string;
  readonly at: Date;
  readonly lanes: readonly string[];
  readonly isStuck: boolean;
  /** Nothing keeps it from being sent any more. */
  readonly isOut: boolean;
}

/** Those of a month, "2026-12", by the clocks that they were timed by; without those that a schedule has made. */
export async function timedBatches(
  database: Database,
  month: string,
): Promise<readonly TimedBatch[]> {
  const { rows } = await sql<TimedBatch>`
    select b.id as "batchId", coalesce(b.name, b.file_name) as name, s.local, s.zone, s.send_at as at,
      array(select lane from batch_lanes where batch_id = b.id order by lane) as lanes,
      s.stuck is not null as "isStuck", s.released_at is not null as "isOut"
    from sendings s join batches b on b.id = s.batch_id
    -- A day around it: clocks of all zones show it within these hours.
    where s.send_at between ${`${month}-01`}::timestamptz - interval '2 days' and ${`${month}-01`}::timestamptz + interval '33 days'
      and left(s.local, 7) = ${month} and b.state <> 'cancelled'
      and not exists (select from occurrences where batch_id = b.id)
    order by s.send_at, b.id limit 500`.execute(database);
  return rows;
}
