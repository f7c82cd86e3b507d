import { sql } from "kysely";
import { BATCH_STATES, type BatchState } from "#batch/lifecycle.ts";
import { appendAudit } from "#ledger/audit.ts";
import type { Database } from "#ledger/database.ts";
import type { FreezeOrder } from "#ledger/epoch.ts";
import { acknowledgeLost, decideQuarantine, UNDECIDED } from "#ledger/quarantine.ts";
import { QUESTION, type Question, question, type QuestionRow } from "#ledger/questions.ts";
import { inMs } from "#ledger/tables.ts";
import { LIFECYCLE, OPEN_STATES } from "#payout/lifecycle.ts";
import { reason } from "#payout/reasons.ts";

/** How many payouts of a lane have not ended, and of how many of them the gateway has said nothing since the freeze. */
export interface LaneAsked {
  readonly lane: string;
  readonly open: number;
  readonly unasked: number;
}

const OPEN_BATCHES = (Object.keys(BATCH_STATES) as BatchState[]).filter(
  (state) => !BATCH_STATES[state].final,
);
const UNASKED = sql`(p.asked_at is null or p.asked_at < e.frozen_at)`;

const OPEN = sql`batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
  where b.state = any(${OPEN_BATCHES}) and p.state = any(${[...OPEN_STATES]})`;

/** Per lane, while the ledger is frozen; empty when it is not, and when nothing is open. */
export async function askedPerLane(database: Database): Promise<LaneAsked[]> {
  const { rows } = await sql<LaneAsked>`
    select p.lane, count(*)::int as open, count(*) filter (where ${UNASKED})::int as unasked
    from epoch e, ${OPEN} and e.frozen_at is not null
    group by p.lane order by p.lane`.execute(database);
  return rows;
}

/**
 * Takes payouts that were not sent as far as this ledger knows and were not asked for since it froze, in the order of
 * their ids. Each is put off by `leaseMs`, so that no other worker asks the same. None when the ledger is not frozen.
 *
 * @param take.after the last id of the page before; 0: from the beginning.
 */
export async function takeUnasked(
  database: Database,
  take: { readonly after: number; readonly sizeMax: number; readonly leaseMs: number },
): Promise<Question[]> {
  const { rows } = await sql<QuestionRow>`
    with due as (
      select p.id from payouts p, epoch e
      where e.frozen_at is not null and p.state in ('awaiting_approval', 'approved') and p.due_at <= now() and ${UNASKED}
        and p.id > ${take.after}
        -- What ended long ago is passed over.
        and p.id >= (select min(first_id) from batches where state = any(${OPEN_BATCHES}))
      order by p.id limit ${take.sizeMax}
      for update of p skip locked
    ), taken as (
      update payouts p set due_at = now() + ${inMs(take.leaseMs)}
      from due join payout_details d on d.payout_id = due.id
      where p.id = due.id
      returning ${QUESTION}
    )
    select * from taken order by id`.execute(database);
  return rows.map(question);
}

export interface UnfreezeOrder extends FreezeOrder {
  readonly at: Date;
  /** The epoch as the caller saw it: the compare of the compare-and-set. */
  readonly epoch: number;
  /** What cannot be asked for is held, for a person. */
  readonly holdUnasked?: boolean;
  /** What a person has decided about each batch in quarantine, and lost batches that a person has seen. */
  readonly release?: readonly string[];
  readonly keep?: readonly string[];
  readonly acknowledge?: readonly string[];
}

/** Takes back everything that the order has written. */
export class StillFrozen extends Error {}

/**
 * Lets the ledger send again.
 *
 * @throws StillFrozen where it is not frozen in this epoch, where payouts are open that were not asked for, and where
 *   nobody has decided about a batch in quarantine or seen a lost one.
 */
export async function unfreeze(
  transaction: Database,
  { epoch, reason: why, actor, at, holdUnasked = false, ...decided }: UnfreezeOrder,
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
  const held = holdUnasked ? await hold(transaction, epoch, actor) : 0;
  const { rows } = await sql`
    update epoch e set frozen_at = null, reason = null
    where number = ${epoch} and frozen_at is not null and not exists (select from ${OPEN} and ${UNASKED})
      and not exists (select ${UNDECIDED}) and not exists (select from lost_batches where acknowledged_at is null)
    returning number`.execute(transaction);
  if (rows.length === 0) throw new StillFrozen();
  const facts = { epoch, reason: why, held, release, keep, acknowledge };
  await appendAudit(transaction, at, { actor, action: "unfreeze", object: "ledger", facts });
}

async function hold(transaction: Database, epoch: number, actor: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    with unasked as (
      select p.id, p.state from epoch e, ${OPEN} and e.number = ${epoch} and e.frozen_at is not null and ${UNASKED}
      order by p.id for update of p
    ), moved as (
      update payouts p set state = ${LIFECYCLE.hold.to}, seq = p.seq + 1, reason = ${reason("not_asked")}, updated_at = now()
      from unasked u where p.id = u.id
      returning p.id, p.seq, p.reason, u.state as from_state
    ), told as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, 'hold', from_state, ${LIFECYCLE.hold.to}, reason, ${actor} from moved
    )
    select count(*)::int as held from moved`.execute(transaction);
  return rows[0]?.held ?? 0;
}
