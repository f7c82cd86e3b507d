import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import { RETRIES_MAX } from "#payout/retry-rule.ts";
import { doesHold } from "#ledger/integrity/freeze.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { storedReason } from "#payout/reasons.ts";

/** States of payouts that may be retried: their money has not moved, or it came back. */
export type RetryableState = "declined" | "returned";

/** The batch and payouts that a retry batch pays again, stored with it in one commit. */
export interface RetrySource {
  readonly batchId: string;
  /** Maps each line of the new batch to the declined payout that it pays again. */
  readonly parents: ReadonlyMap<number, number>;
  /** Why payouts are retried unchanged. Null: none is. */
  readonly unchangedReason: string | null;
  /** Maps each edited line of the new batch to the names of its changed columns. */
  readonly edited: ReadonlyMap<number, readonly string[]>;
}

/**
 * A declined or returned payout that no other payout pays again, and that the gateway cannot have
 * paid under a second request.
 */
export interface Declined {
  readonly payoutId: number;
  readonly state: RetryableState;
  readonly line: number;
  readonly cells: readonly string[];
  readonly order: PayoutOrder;
  /** Why the gateway declined it, as stored. */
  readonly reason: string | null;
  /**
   * The latest code for its row: its own, or that of a cancelled payout that was to pay it again.
   */
  readonly lastCode: string;
}

/**
 * Thrown if one of the payouts is already paid again or is no longer conclusively declined or
 * returned, or if the ledger is frozen.
 */
export class NotRetryable extends Error {}

/**
 * Returns the condition that a payout pays again one that is no longer conclusively declined or
 * returned. It uses a subquery per row instead of a join, because a planner with stale statistics
 * would scan whole tables for a join.
 */
export const isInvalidRetry = (
  payoutId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`((
    select count(*) from descendants x cross join lateral unnest(x.ancestors) as u(id)
    cross join lateral (select state from payouts where id = u.id offset 0) a
    where x.payout_id = ${payoutId} and a.state not in ('declined', 'returned')) > 0)`;

/**
 * Condition that the ledger was frozen since batch `b` was uploaded. In the lost history, its
 * payouts may have been paid again under codes that nobody queries. It compares the order of the
 * audit log, because clocks differ.
 */
export const wasUploadedBeforeFreeze: RawBuilder<boolean> = sql`exists (
    select from audit f where f.object = 'ledger' and f.action = 'freeze'
      and f.seq > coalesce((select min(seq) from audit where object = b.id), 0))`;

/**
 * The payouts that pay the row of payout `p` again, or were to. `x` is its own entry among them, if
 * any.
 */
export const RETRIES_OF_ROW: RawBuilder<unknown> = sql`(
  select count(*) as times, max(payout_id) as last_id from descendants
  where parent_id = any(coalesce(x.ancestors, '{}') || p.id))`;

/**
 * Condition that payout `p` of batch `b` can be retried: it is declined or returned, no live batch
 * pays its row again, and its row was not retried too often. Needs `again` of `RETRIES_OF_ROW`.
 */
export const CAN_BE_RETRIED: RawBuilder<unknown> = sql`p.state in ('declined', 'returned')
  and p.double_payment_check_at is null and not ${wasUploadedBeforeFreeze}
  and again.times < ${RETRIES_MAX} and not exists (select from descendants where parent_id = p.id and live)`;

export interface Page {
  readonly batchId: string;
  readonly after: number;
  readonly sizeMax: number;
  /** Also returned payouts. Default: only declined ones. */
  readonly withReturned?: boolean;
  /** Only these lines of the file. Default: all. */
  readonly lines?: readonly number[];
  /** Only payouts with this reason: its code, or the code with the gateway's text. */
  readonly cause?: string;
}

/**
 * @throws NotRetryable if the gate is closed: a payout that is declined in a restored ledger may
 * have been paid again in the lost history.
 */
export async function refuseUnlessUnfrozen(
  transaction: Database,
  condition: RawBuilder<boolean>,
): Promise<void> {
  if (!(await doesHold(transaction, condition))) throw new NotRetryable();
}

/**
 * Returns payouts of a batch that may be paid again, in the order of their ids, after this one.
 * Without its details, an archived payout cannot be paid again.
 */
export async function findDeclinedRows(
  database: Database,
  sealer: Sealer,
  page: Page,
): Promise<Declined[]> {
  const { rows } = await sql<{
    id: number;
    line: number;
    state: RetryableState;
    currency: string;
    amount_minor: string;
    minor_digits: number;
    reason: string | null;
    transaction_code: string;
    sealed: Buffer;
    last_code: string;
  }>`
    select p.id, p.line, p.state, p.reason, p.currency, p.amount_minor, p.minor_digits, d.transaction_code, d.sealed,
      coalesce((select transaction_code from payout_details where payout_id = again.last_id), d.transaction_code) as last_code
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    join payout_details d on d.payout_id = p.id
    left join descendants x on x.payout_id = p.id
    cross join lateral ${RETRIES_OF_ROW} again
    where b.id = ${page.batchId} and p.id > ${page.after} and ${CAN_BE_RETRIED} and d.sealed <> ''
      ${page.withReturned ? sql`` : sql`and p.state = 'declined'`}
      ${page.lines === undefined ? sql`` : sql`and p.line = any(${page.lines}::int[])`}
      ${page.cause === undefined ? sql`` : sql`and (p.reason = ${page.cause} or split_part(p.reason, ':', 1) = ${page.cause})`}
    order by p.id limit ${page.sizeMax}`.execute(database);
  return rows.map((row) => {
    const { transaction_code: transactionCode, sealed } = row;
    const { cells, details, payoutCode, callbackUrl } = openPayout(sealer, transactionCode, sealed);
    return {
      payoutId: row.id,
      state: row.state,
      line: row.line,
      cells,
      reason: row.reason,
      order: { transactionCode, money: moneyOf(row), details, payoutCode, callbackUrl },
      lastCode: row.last_code,
    };
  });
}

/** Returns the retry batches of this batch, oldest first. */
export async function findRetryBatches(database: Database, batchId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id from retry_batches r join batches b on b.id = r.batch_id
    where r.parent_id = ${batchId} order by b.created_at, b.id`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * Links the payouts of a new batch to those that they pay again. The uploader and the editors of
 * the original batch also count as editors of the new one.
 *
 * @throws NotRetryable: the batch is not stored.
 */
export async function linkRetryBatch(
  transaction: Database,
  batch: { readonly id: string; readonly firstId: number; readonly lastId: number },
  { batchId: parentBatch, parents, unchangedReason, edited }: RetrySource,
): Promise<void> {
  const ids = [...parents.values()];
  // Lock the payouts, so that they cannot leave their state unnoticed before this commits.
  const { rows: locked } = await sql`
    select id from payouts where id = any(${ids}::bigint[]) and state in ('declined', 'returned')
    order by id for update`.execute(transaction);
  if (locked.length < new Set(ids).size) throw new NotRetryable();
  await sql`
    insert into retry_batches (batch_id, parent_id, unchanged_reason)
    values (${batch.id}, ${parentBatch}, ${unchangedReason})`.execute(transaction);
  // The statistics do not cover rows that were just added. A nested loop would compare each row
  // with every other.
  await sql`set local enable_nestloop = off`.execute(transaction);
  try {
    const { numAffectedRows } = await sql`
      insert into descendants (payout_id, parent_id, ancestors, edited)
      select p.id, g.parent_id, coalesce(above.ancestors, '{}') || g.parent_id, p.line = any(${[...edited.keys()]}::int[])
      from unnest(${[...parents.keys()]}::int[], ${ids}::bigint[]) as g(line, parent_id)
      join payouts p on p.line = g.line and p.id between ${batch.firstId} and ${batch.lastId} and p.batch_id = ${batch.id}
      left join descendants above on above.payout_id = g.parent_id`.execute(transaction);
    if (numAffectedRows !== BigInt(ids.length)) throw new NotRetryable();
  } catch (error) {
    throw isUniqueViolation(error, "descendants_live") ? new NotRetryable() : error;
  }
  await sql`
    insert into batch_editors (batch_id, actor)
    select ${batch.id}, actor from (
      select maker as actor from batches where id = ${parentBatch}
      union select actor from batch_editors where batch_id = ${parentBatch}
    ) before
    on conflict do nothing`.execute(transaction);
}

/**
 * Puts unsent payouts on hold that pay again a payout which is no longer conclusively declined. A
 * claim already skips them; this records the reason. Returns their number. Every sweep calls this,
 * so it starts from the few indexed payouts that have left these states, and continues to those
 * that were to pay them again.
 */
export async function holdInvalidRetries(database: Database, batchId: string): Promise<number> {
  const why = storedReason("overtaken");
  const { rows } = await sql`
    with recursive
    -- The batches whose payouts this batch pays again, and those that they pay again.
    parent_batches as (
      select parent_id as id
      from retry_batches
      where batch_id = ${batchId}
      union
      select retry_batches.parent_id
      from parent_batches
        join retry_batches on retry_batches.batch_id = parent_batches.id
    ),
    -- Payouts that were declined or returned and are no longer, and those that pay them again.
    changed_payouts as (
      select transitions.payout_id as id
      from parent_batches
        join batches on batches.id = parent_batches.id
        join transitions on transitions.payout_id between batches.first_id and batches.last_id
          and transitions.from_state in ('declined', 'returned')
      union
      select retries.payout_id
      from changed_payouts
        cross join lateral (
          select payout_id from descendants where parent_id = changed_payouts.id offset 0
        ) retries
    ),
    -- Those of this batch that are not sent yet.
    overtaken_payouts as (
      select payouts.id, payouts.state
      from payouts
      where payouts.id = any(array(select id from changed_payouts))
        and payouts.batch_id is not distinct from ${batchId}
        and payouts.state is not distinct from 'approved'
        and not payouts.maybe_arrived
        and ${isInvalidRetry(sql`payouts.id`)}
      for update of payouts
    ),
    updated_payouts as (
      update payouts
      set state = 'on_hold', seq = payouts.seq + 1, reason = ${why}, updated_at = now()
      from overtaken_payouts
      where payouts.id = overtaken_payouts.id
      returning payouts.id, payouts.seq, overtaken_payouts.state as from_state
    )
    insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
    select id, seq, 'hold', from_state, 'on_hold', ${why}, 'sweep'
    from updated_payouts
    returning payout_id`.execute(database);
  return rows.length;
}
