import { sql } from "kysely";
import { BATCH_STATES, type BatchState } from "#intake/batch/batch-lifecycle.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import type { FreezeOrder } from "#ledger/integrity/freeze.ts";
import { acknowledgeLost, decideQuarantine, UNDECIDED_BATCHES } from "#ledger/intake/quarantine.ts";
import {
  STATUS_QUERY_COLUMNS,
  type StatusQuery,
  statusQueryOf,
  type StatusQueryRow,
} from "#ledger/payout/status-queries.ts";
import { inMs } from "#ledger/store/tables.ts";
import { LIFECYCLE, OPEN_STATES } from "#payout/payout-lifecycle.ts";
import { storedReason } from "#payout/reasons.ts";

/**
 * Number of payouts of a lane that are in progress, and of those for which the gateway has not
 * answered since the freeze.
 */
export interface LaneProgress {
  readonly lane: string;
  readonly open: number;
  readonly unqueried: number;
}

const UNFINISHED_BATCH_STATES = (Object.keys(BATCH_STATES) as BatchState[]).filter(
  (state) => !BATCH_STATES[state].final,
);
const IS_UNQUERIED = sql`(p.queried_at is null or p.queried_at < e.frozen_at)`;

const IN_PROGRESS = sql`batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
  where b.state = any(${UNFINISHED_BATCH_STATES}) and p.state = any(${[...OPEN_STATES]})`;

/**
 * Returns the numbers per lane while the ledger is frozen. Empty if it is not frozen or no payout
 * is in progress.
 */
export async function laneProgress(database: Database): Promise<LaneProgress[]> {
  const { rows } = await sql<LaneProgress>`
    select p.lane, count(*)::int as open, count(*) filter (where ${IS_UNQUERIED})::int as unqueried
    from epoch e, ${IN_PROGRESS} and e.frozen_at is not null
    group by p.lane order by p.lane`.execute(database);
  return rows;
}

/**
 * Takes payouts that, as far as this ledger knows, were not sent, and that were not queried since
 * it froze, in the order of their ids. Each is postponed by `leaseMs`, so that no other worker
 * makes the same query. Returns none if the ledger is not frozen.
 *
 * @param take.after the last id of the previous page; 0: start.
 */
export async function claimUnsent(
  database: Database,
  take: { readonly after: number; readonly sizeMax: number; readonly leaseMs: number },
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    with
    -- Payouts of batches in progress. Those that finished long ago are skipped.
    due_payouts as (
      select p.id
      from payouts p, epoch e
      where e.frozen_at is not null
        and p.state in ('awaiting_approval', 'approved', 'held_back')
        and p.due_at <= now()
        and ${IS_UNQUERIED}
        and p.id > ${take.after}
        and p.id >= (select min(first_id) from batches where state = any(${UNFINISHED_BATCH_STATES}))
      order by p.id
      limit ${take.sizeMax}
      for update of p skip locked
    ),
    taken_payouts as (
      update payouts p
      set due_at = now() + ${inMs(take.leaseMs)}
      from due_payouts
        join payout_details d on d.payout_id = due_payouts.id
      where p.id = due_payouts.id
      returning ${STATUS_QUERY_COLUMNS}
    )
    select *
    from taken_payouts
    order by id`.execute(database);
  return rows.map(statusQueryOf);
}

export interface UnfreezeOrder extends FreezeOrder {
  readonly at: Date;
  /** The epoch as the caller saw it. The compare-and-set compares it. */
  readonly epoch: number;
  /** True: payouts that cannot be queried are put on hold for a person. */
  readonly holdUnqueried?: boolean;
  /**
   * Decisions of a person about each batch in quarantine, and lost batches that a person has
   * acknowledged.
   */
  readonly release?: readonly string[];
  readonly keep?: readonly string[];
  readonly acknowledge?: readonly string[];
}

/** Thrown to roll back everything that the order has written. */
export class StillFrozen extends Error {}

/**
 * Lets the ledger send again.
 *
 * @throws StillFrozen if it is not frozen in this epoch, if payouts in progress were not queried,
 * or if a batch in quarantine is undecided or a lost one is not acknowledged.
 */
export async function unfreeze(
  transaction: Database,
  { epoch, reason: why, actor, at, holdUnqueried = false, ...decided }: UnfreezeOrder,
): Promise<void> {
  const { release = [], keep = [], acknowledge = [] } = decided;
  await sql`set local statement_timeout = 0`.execute(transaction);
  const order = { reason: why, actor, at };
  for (const batchId of release) {
    await decideQuarantine(transaction, { ...order, batchId, decision: "released" });
  }
  for (const batchId of keep) {
    await decideQuarantine(transaction, { ...order, batchId, decision: "kept" });
  }
  for (const batchId of acknowledge) await acknowledgeLost(transaction, { ...order, batchId });
  const held = holdUnqueried ? await hold(transaction, epoch, actor) : 0;
  const { rows } = await sql`
    update epoch e set frozen_at = null, reason = null
    where number = ${epoch} and frozen_at is not null and not exists (select from ${IN_PROGRESS} and ${IS_UNQUERIED})
      and not exists (select ${UNDECIDED_BATCHES}) and not exists (select from lost_batches where acknowledged_at is null)
    returning number`.execute(transaction);
  if (rows.length === 0) throw new StillFrozen();
  const facts = { epoch, reason: why, held, release, keep, acknowledge };
  await appendAudit(transaction, at, { actor, action: "unfreeze", object: "ledger", facts });
}

async function hold(transaction: Database, epoch: number, actor: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    with
    unqueried_payouts as (
      select p.id, p.state
      from epoch e, ${IN_PROGRESS}
        and e.number = ${epoch}
        and e.frozen_at is not null
        and ${IS_UNQUERIED}
      order by p.id
      for update of p
    ),
    updated_payouts as (
      update payouts
      set
        state = ${LIFECYCLE.hold.to},
        seq = payouts.seq + 1,
        reason = ${storedReason("not_queried")},
        updated_at = now()
      from unqueried_payouts
      where payouts.id = unqueried_payouts.id
      returning payouts.id, payouts.seq, payouts.reason, unqueried_payouts.state as from_state
    ),
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, 'hold', from_state, ${LIFECYCLE.hold.to}, reason, ${actor}
      from updated_payouts
    )
    select count(*)::int as held
    from updated_payouts`.execute(transaction);
  return rows[0]?.held ?? 0;
}
