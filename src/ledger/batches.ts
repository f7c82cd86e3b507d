import { sql } from "kysely";
import { BATCH_LIFECYCLE, type BatchEvent, type BatchState } from "#batch/lifecycle.ts";
import { appendAudit } from "#ledger/audit.ts";
import type { Database } from "#ledger/database.ts";
import type { Money } from "#money/money.ts";
import { LIFECYCLE, type PayoutState } from "#payout/lifecycle.ts";

export interface Batch {
  readonly id: string;
  readonly digest: string;
  readonly contentDigest: string;
  readonly fileName: string;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly rows: number;
  readonly rejected: number;
  readonly createdAt: Date;
  readonly approvedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The header of the file and how it was read. */
  readonly facts: BatchFacts;
  /** What the good rows of each lane come to. */
  readonly lanes: readonly LaneTotal[];
}

export interface BatchFacts {
  readonly header: readonly string[];
  readonly encoding: string;
  readonly delimiter: string;
}

export interface LaneTotal {
  readonly lane: string;
  readonly rows: number;
  readonly total: Money;
}

export async function findBatch(
  database: Database,
  by: { readonly id: string } | { readonly digest: string },
): Promise<Batch | null> {
  const [column, value] = "id" in by ? (["id", by.id] as const) : (["digest", by.digest] as const);
  const row = await database
    .selectFrom("batches")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  if (!row) return null;
  const lanes = await database
    .selectFrom("batch_lanes")
    .selectAll()
    .where("batch_id", "=", row.id)
    .orderBy("lane")
    .execute();
  return {
    id: row.id,
    digest: row.digest,
    contentDigest: row.content_digest,
    fileName: row.file_name,
    state: row.state,
    reason: row.reason,
    rows: row.rows,
    rejected: row.rejected,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    finishedAt: row.finished_at,
    facts: row.facts as BatchFacts,
    lanes: lanes.map(({ lane, rows, currency, total_minor, minor_digits }) => ({
      lane,
      rows,
      total: { currency, minor: BigInt(total_minor), minorDigits: minor_digits },
    })),
  };
}

export async function listBatches(database: Database, limit = 200): Promise<Batch[]> {
  const rows = await database
    .selectFrom("batches")
    .select("id")
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  const batches = await Promise.all(rows.map(({ id }) => findBatch(database, { id })));
  return batches.filter((batch) => batch !== null);
}

/** A batch that still has something to send or to follow. */
export interface WorkingBatch {
  readonly id: string;
  readonly lanes: readonly string[];
  /** Nothing of it is sent, what was sent is still followed. */
  readonly paused: boolean;
}

/** Oldest approval first. */
export async function workingBatches(database: Database): Promise<WorkingBatch[]> {
  const { rows } = await sql<WorkingBatch>`
    select b.id, b.state = 'paused' as paused, array_agg(l.lane order by l.lane) as lanes
    from batches b join batch_lanes l on l.batch_id = b.id
    where b.state in ('approved', 'paused')
    group by b.id order by b.approved_at`.execute(database);
  return rows;
}

/**
 * Moves the batch if its state still allows the event, with an audit line in the same transaction.
 * False: somebody else moved it first.
 */
export async function moveBatch(
  transaction: Database,
  move: {
    readonly id: string;
    readonly event: BatchEvent;
    readonly reason: string | null;
    readonly actor: string;
    readonly at: Date;
    readonly facts?: Readonly<Record<string, unknown>>;
  },
): Promise<boolean> {
  const { from, to } = BATCH_LIFECYCLE[move.event];
  const moved = await transaction
    .updateTable("batches")
    .set({
      state: to,
      reason: move.reason,
      updated_at: move.at,
      ...(move.event === "approve" ? { approved_at: move.at } : {}),
      ...(to === "finished" || to === "finished_with_exceptions" || to === "cancelled"
        ? { finished_at: move.at }
        : {}),
    })
    .where("id", "=", move.id)
    .where("state", "in", [...from])
    .returning("id")
    .execute();
  if (moved.length === 0) return false;
  await appendAudit(transaction, move.at, {
    actor: move.actor,
    action: move.event,
    object: move.id,
    facts: { state: to, reason: move.reason, ...move.facts },
  });
  return true;
}

/**
 * Makes one move for every payout of the batch whose state allows it. For `approve` and `cancel`: no evidence, no
 * attempt. A payout that may have arrived at the gateway is never cancelled.
 */
export async function movePayouts(
  transaction: Database,
  batchId: string,
  event: "approve" | "cancel",
  actor: string,
): Promise<number> {
  const { from, to } = LIFECYCLE[event];
  await sql`set local statement_timeout = 0`.execute(transaction);
  const { rows } = await sql<{ moved: number }>`
    with range as (select first_id, last_id from batches where id = ${batchId}),
    wanted as (
      select p.id, p.state from payouts p, range
      where p.id between range.first_id and range.last_id and p.batch_id = ${batchId}
        and p.state = any(${[...from]}) and not p.maybe_arrived
      order by p.id for update of p
    ), moved as (
      update payouts p set state = ${to}, seq = p.seq + 1, due_at = now(), updated_at = now(),
        reason = ${event === "cancel" ? "cancelled" : null}
      from wanted w where p.id = w.id
      returning p.id, p.seq, w.state as from_state
    ), told as (
      insert into transitions (payout_id, seq, event, from_state, to_state, actor)
      select id, seq, ${event}, from_state, ${to}, ${actor} from moved
    )
    select count(*)::int as moved from moved`.execute(transaction);
  return rows[0]?.moved ?? 0;
}

/** How many payouts of the batch are in which state, and what they come to. */
export interface Progress {
  readonly state: PayoutState;
  readonly lane: string;
  readonly count: number;
  readonly sum: Money;
}

export async function progressOf(database: Database, batchId: string): Promise<Progress[]> {
  const { rows } = await sql<{
    state: PayoutState;
    lane: string;
    currency: string;
    minor_digits: number;
    count: number;
    sum: string;
  }>`
    select p.state, p.lane, p.currency, p.minor_digits, count(*)::int as count, sum(p.amount_minor) as sum
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    where b.id = ${batchId}
    group by 1, 2, 3, 4 order by 3, 1`.execute(database);
  return rows.map(({ state, lane, currency, minor_digits, count, sum }) => ({
    state,
    lane,
    count,
    sum: { currency, minor: BigInt(sum), minorDigits: minor_digits },
  }));
}

/** How much is due now in one batch and lane, counted up to `sizeMax`, so that the question costs the same for any batch. */
export async function dueWork(
  database: Database,
  batchId: string,
  lane: string,
  sizeMax: number,
): Promise<{ toSend: number; toAsk: number; open: boolean }> {
  const { rows } = await sql<{ to_send: number; to_ask: number; open: boolean }>`
    select
      (select count(*)::int from (select from payouts where batch_id = ${batchId} and lane = ${lane}
        and state = 'approved' and due_at <= now() order by line limit ${sizeMax}) s) as to_send,
      (select count(*)::int from (select from payouts where batch_id = ${batchId} and lane = ${lane}
        and state in ('submitting', 'in_doubt', 'accepted') and due_at <= now()
        order by due_at limit ${sizeMax}) a) as to_ask,
      (select true from payouts where batch_id = ${batchId} and lane = ${lane} and state = 'approved'
        order by line limit 1) is true
      or (select true from payouts where batch_id = ${batchId} and lane = ${lane}
        and state in ('submitting', 'in_doubt', 'accepted') order by due_at limit 1) is true as open`.execute(
    database,
  );
  const { to_send = 0, to_ask = 0, open = false } = rows[0] ?? {};
  return { toSend: to_send, toAsk: to_ask, open };
}

/** Payouts of the lane that nobody can say of whether they arrived, over all batches. */
export async function countInDoubt(database: Database, lane: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payouts p join batches b on b.id = p.batch_id
    where b.state in ('approved', 'paused') and p.lane = ${lane}
      and p.state in ('submitting', 'in_doubt', 'accepted') and p.state = 'in_doubt'`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Cancels every payout of the batch that has not been sent, and pauses the batch: what was sent is followed to its
 * end, and nothing is sent again unless somebody resumes it.
 */
export async function cancelRest(
  transaction: Database,
  cancel: {
    readonly batchId: string;
    readonly actor: string;
    readonly reason: string | null;
    readonly at: Date;
  },
): Promise<number> {
  const { batchId, actor, reason, at } = cancel;
  const cancelled = await movePayouts(transaction, batchId, "cancel", actor);
  await appendAudit(transaction, at, {
    actor,
    action: "cancel_rest",
    object: batchId,
    facts: { reason, cancelled },
  });
  const why = reason ?? "the rest was cancelled";
  await moveBatch(transaction, { id: batchId, event: "pause", reason: why, actor, at });
  return cancelled;
}
