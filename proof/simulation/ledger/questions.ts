import type { Question } from "#ledger/ledger.ts";
import { inLane } from "./payouts.ts";
import { isOvertaken } from "./remainders.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/**
 * Status queries about payouts: src/ledger/payout/status-queries.ts and processing.ts in memory.
 */

/** Claims payouts of one batch and lane whose status query is due, the longest due first. */
export function takeQuestions(
  tables: Tables,
  take: { batchId: string; lane: string; sizeMax: number; leaseMs: number },
  nowMs: number,
): Question[] {
  const due = inLane(tables, take.batchId, take.lane).filter(
    ({ state, dueMs }) => dueMs <= nowMs && (state === "in_doubt" || state === "accepted"),
  );
  due.sort((one, other) => one.dueMs - other.dueMs);
  return due.slice(0, take.sizeMax).map((payout) => {
    payout.dueMs = nowMs + take.leaseMs;
    return questionOf(tables, payout, nowMs);
  });
}

const acceptedTimes = ({ evidence }: PayoutRow): number =>
  new Set(
    evidence.flatMap(({ kind, facts, attempt }) =>
      kind === "answer" && facts["outcome"] === "accepted" ? [attempt] : [],
    ),
  ).size;

/** Claims final payouts that are due for a late status query. */
export function takeChecks(
  tables: Tables,
  take: { sizeMax: number; leaseMs: number },
  nowMs: number,
): Question[] {
  const due = tables.payouts.filter(({ checkMs }) => checkMs !== null && checkMs <= nowMs);
  return due.slice(0, take.sizeMax).map((payout) => {
    payout.checkMs = nowMs + take.leaseMs;
    return questionOf(tables, payout, nowMs);
  });
}

/** Schedules the next late status query of a payout. Null: there is none. */
export function noteCheck(
  tables: Tables,
  payoutId: number,
  inMs: number | null,
  nowMs: number,
): void {
  const payout = tables.payouts[payoutId - 1];
  if (payout && payout.checkMs !== null) payout.checkMs = inMs === null ? null : nowMs + inMs;
}

/** Returns the query about a transaction code. Null: the ledger does not have the code. */
export function questionAbout(tables: Tables, code: string, nowMs: number): Question | null {
  const payout = tables.byCode.get(code);
  return payout ? questionOf(tables, payout, nowMs) : null;
}

/** Collects the facts about a payout that decide what its status answer means. */
export function questionOf(tables: Tables, payout: PayoutRow, nowMs: number): Question {
  const { id, batchId, lane, seq, state, reason, order, firstSentMs, lastSentMs } = payout;
  const { attempts, crashes, asks, heard, heardTimes, maybeArrived } = payout;
  return {
    payoutId: id,
    batchId,
    lane,
    seq,
    transactionCode: order.transactionCode,
    state,
    reason,
    money: order.money,
    attempts,
    crashes,
    asks,
    heard,
    heardTimes,
    maybeArrived,
    isFrozen: tables.epoch.frozenMs !== null,
    isOvertaken: isOvertaken(tables, payout),
    gatewayNumber: payout.gatewayNumber,
    isRepeated: payout.isRepeated,
    acceptedTimes: payout.isRepeated ? acceptedTimes(payout) : 0,
    takenTwiceBefore: [],
    sinceFirstSentMs: firstSentMs === null ? 0 : nowMs - firstSentMs,
    sinceLastSentMs: lastSentMs === null ? 0 : nowMs - lastSentMs,
    sinceUnansweredMs: payout.unansweredMs === null ? null : nowMs - payout.unansweredMs,
    heardForMs: nowMs - (payout.heardSinceMs ?? nowMs),
    heardAgoMs: nowMs - (payout.heardAtMs ?? nowMs),
    slowestMs: slowestIn(tables, lane, nowMs),
  };
}

const HOUR_MS = 3_600_000;

/** Longest processing time of the lane in the last day, in milliseconds. */
export const slowestIn = ({ processing }: Tables, lane: string, nowMs: number): number =>
  Math.max(
    0,
    ...[...(processing.get(lane) ?? [])].flatMap(([hour, longestMs]) =>
      hour * HOUR_MS > nowMs - 25 * HOUR_MS ? [longestMs] : [],
    ),
  );

/** Records how long the gateway processed a payout. */
export function noteProcessing(
  { processing }: Tables,
  lane: string,
  tookMs: number,
  nowMs: number,
): void {
  const hours = processing.get(lane) ?? new Map<number, number>();
  const hour = Math.floor(nowMs / HOUR_MS);
  hours.set(hour, Math.max(hours.get(hour) ?? 0, Math.ceil(tookMs)));
  processing.set(lane, hours);
}
