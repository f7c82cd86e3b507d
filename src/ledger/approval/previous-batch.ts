import { sql } from "kysely";
import { isBefore } from "#ledger/approval/anomalies.ts";
import type { Database } from "#ledger/store/database.ts";

/** Number of first payouts that are looked up to find the most similar earlier batch. */
const SAMPLE = 200;
/** Minimum share of common accounts, as one in this number. A smaller share is chance. */
const SIMILAR_ONE_IN = 10;

export interface PreviousBatch {
  readonly id: string;
  readonly chosen: "same_schedule" | "most_similar";
}

/**
 * Returns the previous batch of the same schedule. Without one, returns the batch of the same maker
 * that pays most of the same accounts, of those that `isBefore` selects, the newest of two with
 * equal counts. Null: no batch is similar, or the batch retries payouts of another one: it
 * has only some of its rows. No batch is compared with a retry batch.
 */
export async function findPreviousBatch(
  database: Database,
  batchId: string,
): Promise<PreviousBatch | null> {
  const { rows } = await sql<PreviousBatch>`
    with
    examined_batches as materialized (
      select *
      from batches
      where id = ${batchId}
    ),
    ${SIMILAR_BATCHES},
    -- The previous batch of the same schedule.
    schedule_batches as (
      select earlier.batch_id as id
      from occurrences own
        join occurrences earlier
          on earlier.schedule_id = own.schedule_id
          and earlier.send_at < own.send_at
      where own.batch_id = ${batchId}
        and earlier.batch_id is not null
      order by earlier.send_at desc
      limit 1
    )
    select id, 'same_schedule' as chosen
    from schedule_batches
    union all (
      select id, 'most_similar'
      from similar_batches
      where not exists (select from schedule_batches)
        and accounts * ${SIMILAR_ONE_IN} >= (select count(*) from sampled_accounts)
      order by accounts desc, created_at desc
      limit 1
    )`.execute(database);
  return rows[0] ?? null;
}

/** Finds the earlier batches of the same maker that pay accounts of this batch. */
const SIMILAR_BATCHES = sql`
    -- The accounts of the first payouts of the batch.
    sampled_accounts as materialized (
      select distinct detail.account_digest
      from examined_batches
        cross join lateral (
          select id
          from payouts
          where id between examined_batches.first_id and examined_batches.last_id
            and batch_id = examined_batches.id
          order by id
          limit ${SAMPLE}
        ) payout
        cross join lateral (
          select account_digest
          from payout_details
          where payout_id = payout.id
          offset 0
        ) detail
    ),
    -- Earlier batches of the same maker, with the number of accounts that they have in common.
    similar_batches as (
      select
        batches.id,
        batches.created_at,
        count(distinct sampled_accounts.account_digest) as accounts
      from examined_batches
        cross join sampled_accounts
        cross join lateral (
          select payout_id
          from payout_details
          where account_digest = sampled_accounts.account_digest
          offset 0
        ) detail
        cross join lateral (
          select id, batch_id
          from payouts
          where id = detail.payout_id
          offset 0
        ) payout
        join batches on batches.id = payout.batch_id
      where ${isBefore(sql`payout.id`)}
        and batches.maker = examined_batches.maker
        and batches.state <> 'cancelled'
        and batches.id <> examined_batches.id
        and not exists (
          select from retry_batches
          where retry_batches.batch_id in (batches.id, examined_batches.id)
        )
      group by batches.id, batches.created_at
    )`;

/** Returns whether a batch retries payouts of another one. */
export async function isRetryBatch(database: Database, batchId: string): Promise<boolean> {
  const found = await database
    .selectFrom("retry_batches")
    .select("batch_id")
    .where("batch_id", "=", batchId)
    .executeTakeFirst();
  return found !== undefined;
}
