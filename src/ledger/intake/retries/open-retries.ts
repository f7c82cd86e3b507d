import { sql } from "kysely";
import {
  createPersonSearch,
  type PersonSearch,
  type SearchedBatch,
} from "#ledger/intake/retries/person-search.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Returns the search for payouts of unfinished retry batches, of any number. Null: there is no such
 * batch.
 *
 * @param batchId the batch of the rows, whose own payouts are not compared.
 */
export async function searchOpenRetries(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<PersonSearch | null> {
  const { rows } = await sql<SearchedBatch>`
    select retry_batch.id, retry_batch.first_id, retry_batch.last_id, retry_batch.created_at
    from retry_batches
      cross join lateral (
        select id, first_id, last_id, created_at
        from batches
        where id = retry_batches.batch_id
          and finished_at is null
          and state <> 'cancelled'
        offset 0
      ) retry_batch
    where retry_batches.batch_id <> ${batchId}`.execute(database);
  return rows.length === 0 ? null : createPersonSearch(database, sealer, rows);
}
