import { sql } from "kysely";
import {
  type ExactDuplicates,
  EXACT_DUPLICATE_DAYS,
  ExactDuplicatesRefused,
} from "#intake/batch/exact-duplicates.ts";
import { isReadyForApproval } from "#intake/batch/batch-lifecycle.ts";
import { GENERATED_CODE_PATTERN } from "#base/ids.ts";
import { readApprovalPolicy } from "#ledger/approval/policy/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { batchRows } from "#ledger/intake/batch-span.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { lockBatch, recordEditor } from "#ledger/intake/batch-description.ts";

/**
 * Finds the payments of a batch that other batches also pay: sent recently or still to be sent, and
 * not conclusively unpaid. Batches of one schedule repeat each other by design, and a row with a
 * code of its own is a separate payment. Each payment is looked up once, regardless of the number
 * of rows with it.
 */
export async function findExactDuplicates(
  database: Database,
  batchId: string,
  at: Date,
): Promise<readonly ExactDuplicates[]> {
  return inTransaction(database, async (transaction) => {
    // Found rows are joined by their keys. With a nested loop, a batch in which every row is found
    // would take practically forever.
    await sql`select set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true)`.execute(
      transaction,
    );
    const repeats = await searchExactDuplicates(transaction, batchId, at);
    await sql`set local enable_nestloop to default`.execute(transaction);
    return repeats;
  });
}

async function searchExactDuplicates(
  transaction: Database,
  batchId: string,
  at: Date,
): Promise<readonly ExactDuplicates[]> {
  const { rows } = await sql<ExactDuplicates>`
    with
    examined_batches as materialized (
      select id, first_id, last_id, content_digest
      from batches
      where id = ${batchId}
    ),
    ${otherBatches(batchId, at)},
    batch_rows as materialized (
      select line, account_digest, name_key, currency, amount_minor, transaction_code
      from (${await batchRows(transaction, batchId)}) rows_of_batch
      where exists (select from other_batches)
    ),
    ${REPEATED_PAYMENTS}
    select
      other_batches.id as "batchId",
      other_batches.approved_at as "approvedAt",
      count(*)::int as rows,
      (array_agg(batch_rows.line order by batch_rows.line))[1:5] as lines,
      exists (
        select from duplicates_allowed
          cross join examined_batches
        where duplicates_allowed.batch_id = examined_batches.id
          and duplicates_allowed.content_digest = examined_batches.content_digest
          and other_batches.id = any (duplicates_allowed.duplicates)
      ) as "isAllowed"
    from repeated_payments
      join other_batches on other_batches.id = repeated_payments.batch_id
      join batch_rows
        on batch_rows.account_digest = repeated_payments.account_digest
        and batch_rows.amount_minor = repeated_payments.amount_minor
        and batch_rows.currency = repeated_payments.currency
        and batch_rows.name_key is not distinct from repeated_payments.name_key
    where batch_rows.transaction_code ~ ${GENERATED_CODE_PATTERN}
    group by other_batches.id, other_batches.approved_at
    order by rows desc, other_batches.id`.execute(transaction);
  return rows;
}

/** Finds the batches whose payments count as duplicates, and the range of their ids. */
const otherBatches = (batchId: string, at: Date) => sql`
    -- Batches that were sent recently or are still to be sent, except those of the same schedule.
    other_batches as materialized (
      select batches.id, batches.first_id, batches.last_id, batches.approved_at, sent.went_lately
      from batches
        cross join lateral (
          -- A batch that was approved long ago may have been sent at a later time.
          select
            greatest(
              batches.approved_at,
              (select coalesce(released_at, send_at) from send_times where batch_id = batches.id)
            ) > ${at}::timestamptz - ${EXACT_DUPLICATE_DAYS} * interval '1 day' as went_lately
        ) sent
      where batches.id <> ${batchId}
        and batches.approved_at is not null
        and batches.state <> 'cancelled'
        and (sent.went_lately or batches.state in ('approved', 'paused'))
        and not exists (
          select from occurrences own
            join occurrences other using (schedule_id)
          where own.batch_id = ${batchId}
            and other.batch_id = batches.id
        )
    ),
    -- Between the first and last row of the batch there are no rows of other batches, unless
    -- another batch was uploaded at the same time.
    id_ranges as materialized (
      select
        min(other_batches.first_id) as low,
        max(other_batches.last_id) as high,
        not bool_or(
          other_batches.first_id <= examined_batches.last_id
          and other_batches.last_id >= examined_batches.first_id
        ) as alone,
        examined_batches.first_id,
        examined_batches.last_id
      from other_batches
        cross join examined_batches
      group by examined_batches.first_id, examined_batches.last_id
    )`;

/**
 * Each payment of the batch, with the other batches that pay it too. A retry of a returned payout
 * does not repeat it.
 */
const REPEATED_PAYMENTS = sql`
    retried_payouts as materialized (
      select distinct unnest(descendants.ancestors) as id
      from examined_batches
        join descendants
          on descendants.payout_id between examined_batches.first_id and examined_batches.last_id
        join payouts
          on payouts.id = descendants.payout_id
          and payouts.batch_id = examined_batches.id
    ),
    repeated_payments as materialized (
      select payments.*, repeats.batch_id
      from (select distinct account_digest, name_key, currency, amount_minor from batch_rows) payments
        cross join id_ranges
        cross join lateral (
          select distinct payout.batch_id
          from (
              select payout_id
              from payout_details
              where account_digest = payments.account_digest
                and amount_minor = payments.amount_minor
                and name_key is not distinct from payments.name_key
                and payout_id between id_ranges.low and id_ranges.high
                and not (
                  id_ranges.alone
                  and payout_id between id_ranges.first_id and id_ranges.last_id
                )
              offset 0
            ) detail
            cross join lateral (
              select batch_id, currency, state
              from payouts
              where id = detail.payout_id
              offset 0
            ) payout
          where payout.currency = payments.currency
            and (payout.state <> 'returned' or detail.payout_id not in (select id from retried_payouts))
            and payout.state not in ('awaiting_approval', 'declined', 'cancelled')
            and (
              payout.state in ('approved', 'held_back')
              or payout.batch_id in (select id from other_batches where went_lately)
            )
        ) repeats
    )`;

/**
 * Refuses an approval of exact duplicates of other batches if nobody has given a reason. It runs in
 * the transaction of the approval, after the lock that all approvals take, so that one of two
 * identical batches is first.
 *
 * @param alone the only person who approves. A reason by the same person does not count. In an
 * installation without other people, exact duplicates are not refused, only reported like a recent
 * payment.
 * @throws ExactDuplicatesRefused
 */
export async function refuseExactDuplicates(
  transaction: Database,
  batchId: string,
  at: Date,
  alone?: string,
): Promise<void> {
  if (alone !== undefined) {
    const { base, baseIsDefault } = await readApprovalPolicy(transaction);
    if (base === 1 && baseIsDefault) return;
  }
  await sql`set local statement_timeout = 0`.execute(transaction);
  const repeats = await findExactDuplicates(transaction, batchId, at);
  if (repeats.length === 0) return;
  if (repeats.some(({ isAllowed }) => !isAllowed)) throw new ExactDuplicatesRefused(repeats);
  if (alone === undefined) return;
  const allowed = await findAllowedDuplicates(transaction, batchId);
  if (allowed.every(({ actor }) => actor === alone)) throw new ExactDuplicatesRefused(repeats);
}

/** The person who allowed exact duplicates and the reason, latest first. */
export interface AllowedDuplicates {
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

/** Returns who allowed exact duplicates in the current content of a batch, and why. */
export async function findAllowedDuplicates(
  database: Database,
  batchId: string,
): Promise<readonly AllowedDuplicates[]> {
  const { rows } = await sql<AllowedDuplicates>`
    select a.actor, a.reason, a.at from duplicates_allowed a
    join batches b on b.id = a.batch_id and b.content_digest = a.content_digest
    where b.id = ${batchId} order by a.id desc`.execute(database);
  return rows;
}

export interface AllowDuplicatesOrder {
  readonly batchId: string;
  /** Content digest of the batch that this person saw. */
  readonly contentDigest: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Records why a batch may repeat its current exact duplicates. This person then counts as an
 * editor, so another person must approve the batch.
 */
export async function allowExactDuplicates(
  transaction: Database,
  { batchId, contentDigest, reason, actor, at }: AllowDuplicatesOrder,
): Promise<"allowed" | "wrong_state" | "content_changed" | "no_exact_duplicates"> {
  await lockBatch(transaction, batchId);
  const batch = await transaction
    .selectFrom("batches")
    .select(["state", "content_digest", "maker"])
    .where("id", "=", batchId)
    .executeTakeFirst();
  if (!batch || !isReadyForApproval(batch.state)) return "wrong_state";
  if (batch.content_digest !== contentDigest) return "content_changed";
  const repeats = await findExactDuplicates(transaction, batchId, at);
  if (repeats.length === 0) return "no_exact_duplicates";
  const ids = repeats.map(({ batchId: id }) => id);
  await sql`
    insert into duplicates_allowed (batch_id, content_digest, duplicates, actor, reason, at)
    values (${batchId}, ${contentDigest}, ${ids}::text[], ${actor}, ${reason}, ${at})`.execute(
    transaction,
  );
  if (actor !== batch.maker) await recordEditor(transaction, { batchId, actor, at });
  const facts = {
    reason,
    duplicates: repeats.map(({ batchId: id, rows }) => ({ batch: id, rows })),
  };
  await appendAudit(transaction, at, { actor, action: "allow_duplicates", object: batchId, facts });
  return "allowed";
}

/** Returns how often someone explained why a batch may contain exact duplicates. */
export async function countAllowedDuplicates(database: Database, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from duplicates_allowed where batch_id = ${batchId}`.execute(database);
  return rows[0]?.count ?? 0;
}
