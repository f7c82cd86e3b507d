import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A finished batch from a watched folder whose result file is missing or out of date. */
export interface DueResult {
  readonly batchId: string;
  /** The folder from which the file of the batch was taken. */
  readonly folder: string;
  /** Number of the last event of the batch. */
  readonly lastEvent: number;
}

/** Shortest time between two versions of a result file, and between two attempts. */
const WRITE_EVERY = sql`interval '1 minute'`;

/** Returns the result files to write, at most this many. */
export async function findDueResults(database: Database, sizeMax: number): Promise<DueResult[]> {
  const { rows } = await sql<DueResult>`
    select b.id as "batchId", o.folder, coalesce(o.last_event, 0) as "lastEvent"
    from occurrences o
      join batches b on b.id = o.batch_id
    where o.last_event > coalesce(o.result_event, 0)
      and o.folder is not null
      and b.state in ('finished', 'finished_with_exceptions', 'cancelled')
      and (o.result_at is null or o.result_at < now() - ${WRITE_EVERY})
    order by o.result_at nulls first
    limit ${sizeMax}`.execute(database);
  return rows;
}

/**
 * Records an attempt to write a result file.
 *
 * @param lastEvent the last event before the rows were read. Null: the file could not be written.
 */
export async function recordResult(
  database: Database,
  batchId: string,
  lastEvent: number | null,
): Promise<void> {
  await sql`
    update occurrences
    set result_at = now(), result_event = coalesce(${lastEvent}, result_event)
    where batch_id = ${batchId}`.execute(database);
}
