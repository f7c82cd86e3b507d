import {
  BATCH_LIFECYCLE,
  BATCH_STATES,
  type BatchEvent,
  stateWhenValid,
} from "#intake/batch/batch-lifecycle.ts";
import { rankOf } from "#payout/priority.ts";
import type { LaneTotal } from "#ledger/payout/batches.ts";
import type { WithoutFinalState } from "#ledger/payout/lane/lane-health.ts";
import type { PriorityOrder } from "#ledger/payout/lane/priority.ts";
import type { Batch, Progress, WorkingBatch } from "#ledger/ledger.ts";
import { add, type Money } from "#money/money.ts";
import type { InDoubtTotal } from "#payout/circuit-breakers.ts";
import { isFinal, LIFECYCLE } from "#payout/payout-lifecycle.ts";
import type { SendTime } from "#schedule/release.ts";
import { inLane, isAtGateway, isBehindCanary, step } from "./payouts.ts";
import { setSendTime, isWaiting } from "./send-times.ts";
import type { BatchRow, PayoutRow, Tables } from "./tables.ts";

/** The statements about batches: src/ledger/payout/batches.ts and finish.ts in memory. */

const byLane = (one: { lane: string }, other: { lane: string }): number =>
  one.lane < other.lane ? -1 : 1;

/** Sums the rows of each lane. */
export const totalsOf = (lanes: ReadonlyMap<string, readonly PayoutRow[]>): LaneTotal[] =>
  [...lanes].map(([lane, rows]) => ({ lane, rows: rows.length, total: sumOf(rows) })).sort(byLane);

const sumOf = (rows: readonly PayoutRow[]): Money =>
  rows.map(({ order }) => order.money).reduce(add);

/** Finds a batch by its ID or by the digest of its file. Null: there is none. */
export function findBatch(
  tables: Tables,
  by: { readonly id: string } | { readonly digest: string },
): Batch | null {
  const row =
    "id" in by
      ? tables.batches.get(by.id)
      : [...tables.batches.values()].find(({ digest }) => digest === by.digest);
  if (!row) return null;
  const {
    payouts: _payouts,
    canary: _canary,
    canaries: _canaries,
    turns: _turns,
    createdMs,
    rejected,
    ...batch
  } = row;
  return {
    ...batch,
    name: null,
    purpose: null,
    rejected: rejected.length,
    createdAt: new Date(createdMs),
  };
}

/** Returns the batches that need work, in the order of their priority and approval. */
export const workingBatches = (tables: Tables, nowMs: number): WorkingBatch[] =>
  [...tables.batches.values()]
    .filter(({ state }) => state === "approved" || state === "paused")
    .filter(({ id, cancelling, payouts }) => {
      const isWork = cancelling || !isWaiting(tables, id);
      return isWork || [...payouts.values()].some((rows) => rows.some(isAtGateway));
    })
    .sort(
      (one, other) =>
        rankOf(one.priority) - rankOf(other.priority) ||
        Number(one.approvedAt) - Number(other.approvedAt),
    )
    .map(({ id, state, cancelling, priority, lanes, payouts }) => ({
      id,
      lanes: lanes.map(({ lane }) => lane),
      paused: state === "paused" || isWaiting(tables, id),
      cancelling,
      priority,
      isRemainder: tables.retryBatches.has(id),
      ...workOf(payouts, nowMs),
    }));

function workOf(lanes: BatchRow["payouts"], nowMs: number) {
  let isSent = false;
  let isDue = false;
  let isToSend = false;
  for (const rows of lanes.values()) {
    for (const payout of rows) {
      isToSend ||= payout.state === "approved";
      if (!isAtGateway(payout)) continue;
      isSent = true;
      isDue ||= payout.dueMs <= nowMs;
    }
  }
  return { isDue, isAtRest: isSent && !isDue && !isToSend };
}

/** Sets the priority of an unfinished batch. False: there is no such batch. */
export function setPriority(
  tables: Tables,
  { batchId, priority, reason, actor }: Omit<PriorityOrder, "at">,
): boolean {
  const batch = tables.batches.get(batchId);
  if (!batch || batch.finishedAt !== null) return false;
  batch.priority = priority;
  const facts = { priority, reason };
  tables.audit.push({ actor, action: "set_priority", object: batchId, facts });
  return true;
}

interface BatchMove {
  readonly id: string;
  readonly event: BatchEvent;
  readonly reason: string | null;
  readonly actor: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly contentDigest?: string;
  readonly send?: SendTime | null;
}

/**
 * Makes a transition of a batch and of its payouts. Returns the number of payouts that changed.
 * Null: the batch does not allow the transition.
 */
export function moveBatch(tables: Tables, move: BatchMove, at: Date, nowMs: number): number | null {
  const { id, event, reason, actor } = move;
  const { from, to } = BATCH_LIFECYCLE[event];
  const batch = tables.batches.get(id);
  if (!batch || !from.includes(batch.state)) return null;
  if (batch.contentDigest !== (move.contentDigest ?? batch.contentDigest)) return null;
  batch.state = to === "draft" ? stateWhenValid(batch.maker) : to;
  batch.reason = reason;
  if (event === "approve") batch.approvedAt = at;
  if (move.send !== undefined) setSendTime(tables, id, move.send);
  if (BATCH_STATES[to].final) batch.finishedAt ??= at;
  const moved =
    event === "approve" || event === "cancel" ? movePayouts(tables, batch, event, actor, nowMs) : 0;
  if (event === "approve") chooseCanaries(batch);
  const facts = { state: batch.state, reason, payouts: moved, ...move.facts };
  tables.audit.push({ actor, action: event, object: id, facts });
  return moved;
}

function chooseCanaries(batch: BatchRow): void {
  const laid = [...batch.payouts].flatMap(([lane, rows]) => {
    const first = rows.slice(0, batch.canary);
    const last = first.at(-1);
    if (!last || first.length === rows.length) return [];
    const payoutIds = first.map(({ id }) => id);
    const open = { failed: null, releasedMs: null, releasedBy: null };
    return [[lane, { payoutIds, lastLine: last.line, ...open }] as const];
  });
  batch.canaries = new Map(laid);
}

function movePayouts(
  tables: Tables,
  batch: BatchRow,
  event: "approve" | "cancel",
  actor: string,
  nowMs: number,
): number {
  let moved = 0;
  for (const payout of [...batch.payouts.values()].flat()) {
    if (!LIFECYCLE[event].from.includes(payout.state) || payout.maybeArrived) continue;
    moved += 1;
    step(tables, payout, event, { reason: null, actor });
    payout.reason = event === "cancel" ? "cancelled" : null;
    payout.dueMs = nowMs;
    const followed = tables.descendants.get(payout.id);
    if (followed && event === "cancel") {
      tables.descendants.set(payout.id, { ...followed, live: false });
    }
  }
  return moved;
}

/**
 * Pauses a batch and cancels its unsent payouts. Returns their number. Null: the batch does not
 * allow it.
 */
export function cancelRest(
  tables: Tables,
  { id, reason, actor }: { id: string; reason: string | null; actor: string },
  nowMs: number,
): number | null {
  const batch = tables.batches.get(id);
  if (!batch || (batch.state !== "approved" && batch.state !== "paused")) return null;
  batch.state = "paused";
  batch.cancelling = true;
  batch.reason = reason ?? "the rest was cancelled";
  const cancelled = movePayouts(tables, batch, "cancel", actor, nowMs);
  tables.audit.push({ actor, action: "cancel_rest", object: id, facts: { reason, cancelled } });
  return cancelled;
}

/** Cancels payouts that became unsent after the rest of their batch was cancelled. */
export function cancelDeferred(tables: Tables, batchId: string, nowMs: number): number {
  const batch = tables.batches.get(batchId);
  return batch ? movePayouts(tables, batch, "cancel", "sweep", nowMs) : 0;
}

/** Counts and sums the payouts of a batch by lane and state. */
export function progressOf(tables: Tables, batchId: string): Progress[] {
  const groups = Map.groupBy(
    [...(tables.batches.get(batchId)?.payouts.values() ?? [])].flat(),
    ({ state, lane }) => `${lane} ${state}`,
  );
  return [...groups.values()]
    .flatMap((rows) => {
      const [first] = rows;
      const { state, lane } = first ?? {};
      return state && lane ? [{ state, lane, count: rows.length, sum: sumOf(rows) }] : [];
    })
    .sort(
      (one, other) => order(one.sum.currency, other.sum.currency) || order(one.state, other.state),
    );
}

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

/**
 * Finishes a batch whose payouts are all final. Returns its final state. Null: it cannot finish
 * yet.
 */
export function finishBatch(tables: Tables, id: string, at: Date, nowMs: number) {
  const payouts = [...(tables.batches.get(id)?.payouts.values() ?? [])].flat();
  if (payouts.length === 0 || payouts.some(({ state }) => !isFinal(state))) return null;
  const all = (wanted: string) => payouts.every(({ state }) => state === wanted);
  const event: BatchEvent = all("settled")
    ? "finish"
    : all("cancelled")
      ? "finish_cancelled"
      : "finish_with_exceptions";
  const moved = moveBatch(tables, { id, event, reason: null, actor: "sweep" }, at, nowMs);
  return moved === null ? null : BATCH_LIFECYCLE[event].to;
}

/** Counts the payouts of a batch and a lane that are due to be sent and to be queried. */
export function dueWork(
  tables: Tables,
  batchId: string,
  lane: string,
  sizeMax: number,
  nowMs: number,
): { toSend: number; toQuery: number; open: boolean } {
  let toSend = 0;
  let toAsk = 0;
  let open = false;
  for (const payout of inLane(tables, batchId, lane)) {
    const toBeSent = payout.state === "approved";
    open ||= payout.state === "held_back";
    if (!toBeSent && !isAtGateway(payout)) continue;
    open = true;
    if (payout.dueMs > nowMs || (toBeSent && isBehindCanary(tables, payout))) continue;
    if (toBeSent) toSend += 1;
    else toAsk += 1;
  }
  return { toSend: Math.min(toSend, sizeMax), toQuery: Math.min(toAsk, sizeMax), open };
}

/** Counts and sums the payouts of a lane that are in doubt. */
export function inDoubtTotal(tables: Tables, lane: string): InDoubtTotal {
  let count = 0;
  let minor = 0n;
  for (const batch of tables.batches.values()) {
    if (batch.state !== "approved") continue;
    for (const {
      state,
      order: { money },
    } of batch.payouts.get(lane) ?? []) {
      if (state !== "in_doubt") continue;
      count += 1;
      minor += money.minor;
    }
  }
  return { count, minor };
}

/**
 * Counts the payouts that a lane sent before a time limit and that have no final state. Zero if a
 * payout of the lane became final since.
 */
export function countWithoutFinalState(
  tables: Tables,
  { lane, minutes, countMax }: WithoutFinalState,
  nowMs: number,
): number {
  const sinceMs = nowMs - minutes * 60_000;
  if ((tables.finalStates.get(lane) ?? 0) > sinceMs) return 0;
  const old = [...tables.batches.values()]
    .filter(({ state }) => state === "approved" || state === "paused")
    .flatMap(({ payouts }) => payouts.get(lane) ?? [])
    .filter(({ state, firstSentMs }) => state === "accepted" && (firstSentMs ?? nowMs) < sinceMs);
  return Math.min(old.length, countMax);
}
