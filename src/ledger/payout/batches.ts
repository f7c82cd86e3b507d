import { type Selectable, sql } from "kysely";
import type { People } from "#approval/approval-policy.ts";
import {
  BATCH_LIFECYCLE,
  BATCH_STATES,
  type BatchEvent,
  type BatchState,
  stateWhenValid,
} from "#intake/batch/batch-lifecycle.ts";
import type { BatchFacts } from "#intake/batch/batch-facts.ts";
import type { Priority } from "#payout/priority.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { chooseCanaries } from "#ledger/payout/canary-condition.ts";
import type { Database } from "#ledger/store/database.ts";
import { mayBeApproved } from "#ledger/payout/quarantine-condition.ts";
import { movePayouts } from "#ledger/payout/transitions.ts";
import { setSendTime } from "#ledger/schedule/send-times.ts";
import { moneyOf, type Tables } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import { momentText } from "#schedule/local-time.ts";
import type { SendTime } from "#schedule/release.ts";

export interface Batch {
  readonly id: string;
  readonly digest: string;
  readonly contentDigest: string;
  readonly fileName: string;
  /** Name of the batch given by its uploader. */
  readonly name: string | null;
  /** Purpose of the batch in the uploader's words. */
  readonly purpose: string | null;
  readonly state: BatchState;
  /** True once the payouts not sent yet were cancelled. Those sent before are still tracked. */
  readonly cancelling: boolean;
  readonly reason: string | null;
  readonly rows: number;
  readonly rejected: number;
  readonly createdAt: Date;
  readonly approvedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The actor who uploaded the file. */
  readonly maker: string;
  readonly priority: Priority;
  /** Number of people required to pay it, including the maker, and the reason. */
  readonly peopleNeeded: People;
  readonly peopleWhy: string;
  /** The header of the file and how it was read. */
  readonly facts: BatchFacts;
  /** Number and sum of the good rows per lane. */
  readonly lanes: readonly LaneTotal[];
}

export interface LaneTotal {
  readonly lane: string;
  readonly rows: number;
  readonly total: Money;
}

/** Finds a batch by its ID, or by the digest of one of its files. Null: not found. */
export async function findBatch(
  database: Database,
  by: { readonly id: string } | { readonly digest: string },
): Promise<Batch | null> {
  // A file of corrected rows belongs to the batch that it corrected.
  const which =
    "id" in by
      ? sql<boolean>`id = ${by.id}`
      : sql<boolean>`digest = ${by.digest}
          or id in (select batch_id from corrections where digest = ${by.digest})`;
  const batch = database.selectFrom("batches").selectAll().where(which);
  const [found] = await withLanes(database, await batch.execute());
  return found ?? null;
}

/** Upload time to the millisecond, as in its index, which returns batches in this order. */
export const UPLOADED = sql<Date>`date_trunc('milliseconds', created_at at time zone 'UTC')`;

/** Returns the latest uploaded batches, newest first. */
export async function listBatches(database: Database, limit = 200): Promise<Batch[]> {
  const newest = database.selectFrom("batches").selectAll().orderBy(UPLOADED, "desc");
  return withLanes(database, await newest.limit(limit).execute());
}

/** Returns the batches with these ids. Unknown ids are ignored. */
export async function findBatches(database: Database, ids: readonly string[]): Promise<Batch[]> {
  if (ids.length === 0) return [];
  const batches = database
    .selectFrom("batches")
    .selectAll()
    .where("id", "in", [...ids]);
  return withLanes(database, await batches.execute());
}

/** Counts the batches of this maker that wait for corrections. */
export async function countAwaitingCorrection(database: Database, maker: string): Promise<number> {
  const { count } = await database
    .selectFrom("batches")
    .select((is) => is.fn.countAll<string>().as("count"))
    .where("state", "=", "needs_correction")
    .where("maker", "=", maker)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function withLanes(
  database: Database,
  rows: readonly Selectable<Tables["batches"]>[],
): Promise<Batch[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const lanes = await database
    .selectFrom("batch_lanes")
    .selectAll()
    .where("batch_id", "in", ids)
    .orderBy("lane")
    .execute();
  const lanesOf = Map.groupBy(lanes, ({ batch_id }) => batch_id);
  return rows.map((row) => ({
    id: row.id,
    digest: row.digest,
    contentDigest: row.content_digest,
    fileName: row.file_name,
    name: row.name,
    purpose: row.purpose,
    state: row.state,
    cancelling: row.cancelling,
    reason: row.reason,
    rows: row.rows,
    rejected: row.rejected,
    createdAt: row.created_at,
    approvedAt: row.approved_at,
    finishedAt: row.finished_at,
    maker: row.maker,
    priority: row.priority,
    peopleNeeded: row.people_needed,
    peopleWhy: row.people_reason,
    facts: row.facts as BatchFacts,
    lanes: (lanesOf.get(row.id) ?? []).map((lane) => ({
      lane: lane.lane,
      rows: lane.rows,
      total: moneyOf({ ...lane, amount_minor: lane.total_minor }),
    })),
  }));
}

export interface BatchMove {
  readonly id: string;
  readonly event: BatchEvent;
  readonly reason: string | null;
  readonly actor: string;
  readonly at: Date;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The content digest that a person saw. If the batch has other rows by now, it is not moved. */
  readonly contentDigest?: string;
  /** For an approval: the send time. Null: now. Undefined: keep the previous send time. */
  readonly send?: SendTime | null;
  /** For an approval by one person: the moves that precede it. A refusal undoes them. */
  readonly precededBy?: readonly BatchEvent[];
}

/**
 * Moves the batch if its state allows the event, and its payouts if the event applies to them, with
 * an audit line in the same transaction. The line comes last: all batches share its lock, and the
 * approval of a million rows must not delay the pause of another batch. Returns the number of moved
 * payouts, or null if somebody else moved the batch first.
 *
 * @param earlier the lines of earlier moves in this transaction.
 */
export async function moveBatch(
  transaction: Database,
  move: BatchMove,
  earlier: readonly AuditLine[] = [],
): Promise<number | null> {
  const { id, event, reason, actor, at, send } = move;
  const state = await moveState(transaction, move);
  if (state === null) return null;
  if (send !== undefined) await setSendTime(transaction, { batchId: id, send, actor });
  const payouts =
    event === "approve" || event === "cancel"
      ? await movePayouts(transaction, id, event, actor)
      : 0;
  if (event === "approve") await chooseCanaries(transaction, id);
  for (const line of earlier) await appendAudit(transaction, at, line);
  await appendAudit(transaction, at, {
    actor,
    action: event,
    object: id,
    facts: {
      state,
      reason,
      payouts,
      ...(send && { send_at: momentText(send) }),
      ...move.facts,
    },
  });
  return payouts;
}

/**
 * Moves the batch and sets its columns by compare-and-set. Returns its state, or null if another
 * move was first.
 */
export async function moveState(
  transaction: Database,
  { id, event, reason, actor, at, contentDigest }: BatchMove,
): Promise<BatchState | null> {
  const { from, to } = BATCH_LIFECYCLE[event];
  const moved = await transaction
    .updateTable("batches")
    .set({
      state: to,
      reason,
      updated_at: at,
      ...(event === "approve" && approvedNow(at, actor)),
      ...(event === "request_approval" && {
        approval_requested_at: at,
        approval_requested_by: actor,
      }),
      ...(BATCH_STATES[to].final && { finished_at: sql<Date>`coalesce(finished_at, ${at})` }),
    })
    .where("id", "=", id)
    .where("state", "in", [...from])
    .where((is) => (contentDigest ? is("content_digest", "=", contentDigest) : is.lit(true)))
    .where(event === "approve" ? mayBeApproved(id) : sql<boolean>`true`)
    .returning(["state", "maker"])
    .executeTakeFirst();
  if (!moved) return null;
  return moved.state === "draft" ? sendFromCommandLine(transaction, id, moved.maker) : moved.state;
}

/**
 * Sends a draft for approval if it comes from the command line. Returns the state of the batch.
 */
export async function sendFromCommandLine(
  transaction: Database,
  id: string,
  maker: string,
): Promise<BatchState> {
  const state = stateWhenValid(maker);
  if (state === "draft") return state;
  await transaction
    .updateTable("batches")
    .set({ state })
    .where("id", "=", id)
    .where("state", "=", "draft")
    .execute();
  return state;
}

/** Approving a batch that was not sent for approval also records it as sent. */
const approvedNow = (at: Date, actor: string) => ({
  approved_at: at,
  approval_requested_at: sql<Date>`coalesce(approval_requested_at, ${at})`,
  approval_requested_by: sql<string>`coalesce(approval_requested_by, ${actor})`,
});

/**
 * Cancels every unsent payout and pauses the batch. Sent payouts are followed to their final state,
 * or cancelled if they come back unsent. Returns how many; null if the batch is not being sent.
 */
export async function cancelRest(
  transaction: Database,
  cancel: Omit<BatchMove, "event" | "facts">,
): Promise<number | null> {
  const { id, actor, reason, at } = cancel;
  const marked = await transaction
    .updateTable("batches")
    .set({
      state: "paused",
      cancelling: true,
      reason: reason ?? "the rest was cancelled",
      updated_at: at,
    })
    .where("id", "=", id)
    .where("state", "in", [...BATCH_LIFECYCLE.pause.from, BATCH_LIFECYCLE.pause.to])
    .returning("id")
    .execute();
  if (marked.length === 0) return null;
  const cancelled = await movePayouts(transaction, id, "cancel", actor);
  await appendAudit(transaction, at, {
    actor,
    action: "cancel_rest",
    object: id,
    facts: { reason, cancelled },
  });
  return cancelled;
}

/**
 * Cancels payouts that came back unsent after cancelRest. Returns their number. Every sweep calls
 * this, usually without effect, so it searches the index of payouts to be sent, not the batch.
 */
export async function cancelDeferred(transaction: Database, batchId: string): Promise<number> {
  const { rows } = await sql`
    (select from payouts where batch_id = ${batchId} and state = 'approved' and not maybe_arrived order by lane, line limit 1)
    union all (select from payouts where batch_id = ${batchId} and state = 'held_back' order by lane, line limit 1)
    limit 1`.execute(transaction);
  if (rows.length === 0) return 0;
  return movePayouts(transaction, batchId, "cancel", "sweep");
}
