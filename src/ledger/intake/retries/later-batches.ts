import { sql } from "kysely";
import {
  createPersonSearch,
  type PersonSearch,
  type SearchedBatch,
} from "#ledger/intake/retries/person-search.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Returns the search for payouts of approved, unfinished batches, for the rows of a retry batch.
 * Other retry batches are left out: searchOpenRetries finds them. Null: the batch is no retry
 * batch, or there is no approved one.
 */
export async function searchApprovedBatches(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<PersonSearch | null> {
  const { rows } = await sql<SearchedBatch>`
    select id, first_id, last_id, created_at
    from batches
    where state in ('approved', 'paused')
      and id <> ${batchId}
      and exists (select from retry_batches where batch_id = ${batchId})
      and not exists (select from retry_batches where batch_id = batches.id)`.execute(database);
  return rows.length === 0 ? null : createPersonSearch(database, sealer, rows);
}

/** Returns when the payouts were declined or returned that these payouts pay again. */
export async function findRetriedTimes(
  database: Database,
  payoutIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await sql<{ id: number; at: Date }>`
    select descendant.payout_id as id, transition.at
    from unnest(${[...payoutIds]}::bigint[]) as retries(id)
      cross join lateral (
        select payout_id, parent_id
        from descendants
        where payout_id = retries.id
        offset 0
      ) descendant
      cross join lateral (
        select at
        from transitions
        where payout_id = descendant.parent_id
          and to_state in ('declined', 'returned')
        order by seq desc
        limit 1
      ) transition`.execute(database);
  return new Map(rows.map(({ id, at }) => [id, at]));
}
