import { sql } from "kysely";
import { type Repeat, REPEAT_DAYS, RepeatsRefused } from "#intake/batch/exact-duplicates.ts";
import { MINTED_CODE } from "#base/ids.ts";
import { readApprovals } from "#ledger/approval/policy/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-chain.ts";
import { rowsOf } from "#ledger/intake/batch-span.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { lockBatch, noteEditor } from "#ledger/intake/batch-description.ts";

/**
 * Finds the payments of a batch that other batches also pay: sent recently or still to be sent, and
 * not conclusively unpaid. Batches of one schedule repeat each other by design, and a row with a
 * code of its own is a separate payment. Each payment is looked up once, regardless of the number
 * of rows with it.
 */
export async function findRepeats(
  database: Database,
  batchId: string,
  at: Date,
): Promise<readonly Repeat[]> {
  return inTransaction(database, async (transaction) => {
    // Found rows are joined by their keys. With a nested loop, a batch in which every row is found
    // would take practically forever.
    await sql`select set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true)`.execute(
      transaction,
    );
    const repeats = await repeatsOf(transaction, batchId, at);
    await sql`set local enable_nestloop to default`.execute(transaction);
    return repeats;
  });
}

async function repeatsOf(
  transaction: Database,
  batchId: string,
  at: Date,
): Promise<readonly Repeat[]> {
  const { rows } = await sql<Repeat>`
    with batch as materialized (
      select id, first_id, last_id, content_digest from batches where id = ${batchId}
    ), others as materialized (
      select o.id, o.first_id, o.last_id, o.approved_at, s.went_lately
      from batches o cross join lateral (
        -- Approved long ago for a time to come, it goes out then.
        select greatest(o.approved_at, (select coalesce(released_at, send_at) from send_times where batch_id = o.id))
          > ${at}::timestamptz - ${REPEAT_DAYS} * interval '1 day' as went_lately
      ) s
      where o.id <> ${batchId} and o.approved_at is not null and o.state <> 'cancelled'
        and (s.went_lately or o.state in ('approved', 'paused'))
        and not exists (select from occurrences mine join occurrences its using (schedule_id)
          where mine.batch_id = ${batchId} and its.batch_id = o.id)
    ), bounds as materialized (
      -- Between its own first and last row there is nothing to find, unless another batch came in at the same time.
      select min(o.first_id) as low, max(o.last_id) as high,
        not bool_or(o.first_id <= b.last_id and o.last_id >= b.first_id) as alone, b.first_id, b.last_id
      from others o cross join batch b group by b.first_id, b.last_id
    ), mine as materialized (
      select line, account_digest, name_key, currency, amount_minor, transaction_code
      from (${await rowsOf(transaction, batchId)}) r where exists (select from others)
    ), found as materialized (
      select m.*, e.batch_id
      from (select distinct account_digest, name_key, currency, amount_minor from mine) m cross join bounds b
      cross join lateral (
        select distinct p.batch_id from (
          select payout_id from payout_details where account_digest = m.account_digest
            and amount_minor = m.amount_minor and name_key is not distinct from m.name_key
            and payout_id between b.low and b.high and not (b.alone and payout_id between b.first_id and b.last_id)
          offset 0
        ) d cross join lateral (
          select batch_id, currency, state from payouts where id = d.payout_id offset 0
        ) p where p.currency = m.currency and p.state not in ('awaiting_approval', 'declined', 'cancelled')
          and (p.state = 'approved' or p.batch_id in (select id from others where went_lately))
      ) e
    )
    select o.id as "batchId", o.approved_at as "approvedAt", count(*)::int as rows,
      (array_agg(m.line order by m.line))[1:5] as lines,
      exists (select from duplicates_allowed a cross join batch b
        where a.batch_id = b.id and a.content_digest = b.content_digest and o.id = any (a.duplicates)) as "isAllowed"
    from found f join others o on o.id = f.batch_id
    join mine m on m.account_digest = f.account_digest and m.amount_minor = f.amount_minor
      and m.currency = f.currency and m.name_key is not distinct from f.name_key
    where m.transaction_code ~ ${MINTED_CODE}
    group by o.id, o.approved_at order by rows desc, o.id`.execute(transaction);
  return rows;
}

/**
 * Refuses an approval of exact duplicates of other batches if nobody has given a reason. It runs in
 * the transaction of the approval, after the lock that all approvals take, so that one of two
 * identical batches is first.
 *
 * @param alone the only person who approves. A reason by the same person does not count. In an
 * installation without other people, exact duplicates are not refused, only reported like a recent
 * payment.
 * @throws RepeatsRefused
 */
export async function holdRepeats(
  transaction: Database,
  batchId: string,
  at: Date,
  alone?: string,
): Promise<void> {
  if (alone !== undefined) {
    const { base, baseIsDefault } = await readApprovals(transaction);
    if (base === 1 && baseIsDefault) return;
  }
  await sql`set local statement_timeout = 0`.execute(transaction);
  const repeats = await findRepeats(transaction, batchId, at);
  if (repeats.length === 0) return;
  if (repeats.some(({ isAllowed }) => !isAllowed)) throw new RepeatsRefused(repeats);
  if (alone === undefined) return;
  const allowed = await repeatsAllowed(transaction, batchId);
  if (allowed.every(({ actor }) => actor === alone)) throw new RepeatsRefused(repeats);
}

/** The person who allowed exact duplicates and the reason, latest first. */
export interface RepeatsAllowed {
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

/** Returns who allowed exact duplicates in the current content of a batch, and why. */
export async function repeatsAllowed(
  database: Database,
  batchId: string,
): Promise<readonly RepeatsAllowed[]> {
  const { rows } = await sql<RepeatsAllowed>`
    select a.actor, a.reason, a.at from duplicates_allowed a
    join batches b on b.id = a.batch_id and b.content_digest = a.content_digest
    where b.id = ${batchId} order by a.id desc`.execute(database);
  return rows;
}

export interface RepeatOrder {
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
export async function allowRepeats(
  transaction: Database,
  { batchId, contentDigest, reason, actor, at }: RepeatOrder,
): Promise<"allowed" | "wrong_state" | "content_changed" | "no_exact_duplicates"> {
  await lockBatch(transaction, batchId);
  const batch = await transaction
    .selectFrom("batches")
    .select(["state", "content_digest", "maker"])
    .where("id", "=", batchId)
    .executeTakeFirst();
  if (batch?.state !== "awaiting_approval") return "wrong_state";
  if (batch.content_digest !== contentDigest) return "content_changed";
  const repeats = await findRepeats(transaction, batchId, at);
  if (repeats.length === 0) return "no_exact_duplicates";
  const ids = repeats.map(({ batchId: id }) => id);
  await sql`
    insert into duplicates_allowed (batch_id, content_digest, duplicates, actor, reason, at)
    values (${batchId}, ${contentDigest}, ${ids}::text[], ${actor}, ${reason}, ${at})`.execute(
    transaction,
  );
  if (actor !== batch.maker) await noteEditor(transaction, { batchId, actor, at });
  const facts = {
    reason,
    duplicates: repeats.map(({ batchId: id, rows }) => ({ batch: id, rows })),
  };
  await appendAudit(transaction, at, { actor, action: "allow_duplicates", object: batchId, facts });
  return "allowed";
}
