import type { StatusQuery } from "#ledger/ledger.ts";
import { inLane } from "./payouts.ts";
import { isInvalidRetry } from "./retry-batches.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/**
 * Status queries about payouts: src/ledger/payout/status-queries.ts and processing.ts in memory.
 */

/** Claims payouts of one batch and lane whose status query is due, the longest due first. */
export function claimStatusQueries(
  tables: Tables,
  take: { batchId: string; lane: string; sizeMax: number; leaseMs: number },
  nowMs: number,
): StatusQuery[] {
  const due = inLane(tables, take.batchId, take.lane).filter(
    ({ state, dueMs }) => dueMs <= nowMs && (state === "in_doubt" || state === "accepted"),
  );
  due.sort((one, other) => one.dueMs - other.dueMs);
  return due.slice(0, take.sizeMax).map((payout) => {
    payout.dueMs = nowMs + take.leaseMs;
    return statusQueryOf(tables, payout, nowMs);
  });
}

const acceptedTimes = ({ evidence }: PayoutRow): number =>
  new Set(
    evidence.flatMap(({ kind, facts, attempt }) =>
      kind === "answer" && facts["outcome"] === "accepted" ? [attempt] : [],
    ),
  ).size;

/** Claims final payouts that are due for a late status query. */
export function claimRepeatedCodeChecks(
  tables: Tables,
  take: { sizeMax: number; leaseMs: number },
  nowMs: number,
): StatusQuery[] {
  const due = tables.payouts.filter(({ checkMs }) => checkMs !== null && checkMs <= nowMs);
  return due.slice(0, take.sizeMax).map((payout) => {
    payout.checkMs = nowMs + take.leaseMs;
    return statusQueryOf(tables, payout, nowMs);
  });
}

/** Schedules the next late status query of a payout. Null: there is none. */
export function scheduleRepeatedCodeCheck(
  tables: Tables,
  payoutId: number,
  inMs: number | null,
  nowMs: number,
): void {
  const payout = tables.payouts[payoutId - 1];
  if (payout?.statusAnswer === "returned") return;
  if (payout && payout.checkMs !== null) payout.checkMs = inMs === null ? null : nowMs + inMs;
}

/** Returns the query about a transaction code. Null: the ledger does not have the code. */
export function findStatusQuery(tables: Tables, code: string, nowMs: number): StatusQuery | null {
  const payout = tables.byCode.get(code);
  return payout ? statusQueryOf(tables, payout, nowMs) : null;
}

/** Collects the facts about a payout that decide what its status answer means. */
export function statusQueryOf(tables: Tables, payout: PayoutRow, nowMs: number): StatusQuery {
  const { id, batchId, lane, seq, state, reason, order, firstSentMs, lastSentMs } = payout;
  const { attempts, crashes, queryCount, statusAnswer, statusAnswerTimes, maybeArrived } = payout;
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
    queryCount,
    statusAnswer,
    statusAnswerTimes,
    maybeArrived,
    isFrozen: tables.epoch.frozenMs !== null,
    isInvalidRetry: isInvalidRetry(tables, payout),
    gatewayNumber: payout.gatewayNumber,
    isRepeated: payout.isRepeated,
    acceptedTimes: payout.isRepeated ? acceptedTimes(payout) : 0,
    paidTwiceBefore: [],
    sinceFirstSentMs: firstSentMs === null ? 0 : nowMs - firstSentMs,
    sinceLastSentMs: lastSentMs === null ? 0 : nowMs - lastSentMs,
    sinceUnansweredMs: payout.unansweredMs === null ? null : nowMs - payout.unansweredMs,
    statusAnswerForMs: nowMs - (payout.statusAnswerSinceMs ?? nowMs),
    statusAnswerAgoMs: nowMs - (payout.statusAnswerAtMs ?? nowMs),
    slowestMs: longestProcessingMs(tables, lane, nowMs),
  };
}

const HOUR_MS = 3_600_000;

/** Longest processing time of the lane in the last day, in milliseconds. */
export const longestProcessingMs = ({ processing }: Tables, lane: string, nowMs: number): number =>
  Math.max(
    0,
    ...[...(processing.get(lane) ?? [])].flatMap(([hour, longestMs]) =>
      hour * HOUR_MS > nowMs - 25 * HOUR_MS ? [longestMs] : [],
    ),
  );

/** Records how long the gateway processed a payout. */
export function recordProcessingTime(
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
