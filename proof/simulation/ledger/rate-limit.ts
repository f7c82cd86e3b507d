import { rankOf } from "#payout/priority.ts";
import type { LimitOrder, LimitedLane } from "#ledger/payout/lane/rate-limit.ts";
import {
  isRateLimited,
  nextTurnMs,
  UNLIMITED_RATE,
  type CompetingBatches,
  rateAfterStop,
  currentSlowdown,
  rateAfterClaim,
  turnsAfterClaim,
  availableTurns,
} from "#payout/lane/rate-limit.ts";
import { isPaused } from "./lanes.ts";
import { isReleased, isWaiting } from "./send-times.ts";
import type { LaneRateRow, Tables } from "./tables.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** src/ledger/payout/lane/rate-limit.ts in memory, with the product's own decisions. */

const rowOf = ({ laneRates }: Tables, lane: string): LaneRateRow =>
  laneRates.get(lane) ?? { ...UNLIMITED_RATE, setBy: null, setMs: 0 };

const inFlight = ({ payouts }: Tables, lane: string): number =>
  payouts.filter((payout) => payout.state === "submitting" && payout.lane === lane).length;

/** Other batches that now have work in this lane. */
function findCompetingBatches(
  tables: Tables,
  batchId: string,
  lane: string,
  nowMs: number,
): CompetingBatches {
  const { batches } = tables;
  const rank = rankOf(batches.get(batchId)?.priority ?? "normal");
  const rivals = [...batches.values()].filter(
    ({ id, state, cancelling, payouts }) =>
      id !== batchId &&
      state === "approved" &&
      !cancelling &&
      !isWaiting(tables, id) &&
      !isPaused(tables, { batchId: id, lane }, nowMs) &&
      payouts.get(lane)?.some(({ state: is, dueMs }) => is === "approved" && dueMs <= nowMs),
  );
  const beside = rivals.filter(({ priority }) => rankOf(priority) === rank);
  const had = beside.flatMap(({ turns }) => turns.get(lane) ?? []);
  return {
    before: rivals.filter(({ priority }) => rankOf(priority) < rank).length,
    beside: beside.length,
    turns: batches.get(batchId)?.turns.get(lane) ?? null,
    fewest: had.length === 0 ? null : Math.min(...had),
  };
}

/**
 * Claims up to the number of available turns: `takeSome` claims and returns how many it found. A
 * lane without a limit does not count claims.
 */
export function inTurn<Taken>(
  tables: Tables,
  { batchId, lane }: { readonly batchId: string; readonly lane: string },
  sizeMax: number,
  nowMs: number,
  takeSome: (sizeMax: number) => readonly Taken[],
): readonly Taken[] {
  const row = tables.laneRates.get(lane);
  if (!row || !isRateLimited(row, nowMs)) return takeSome(sizeMax);
  const onWire = inFlight(tables, lane);
  const rivals = findCompetingBatches(tables, batchId, lane, nowMs);
  const size = Math.min(sizeMax, availableTurns(row, nowMs, onWire, rivals));
  const taken = size > 0 ? takeSome(size) : [];
  if (rivals.turns === null || taken.length > 0) {
    const turns = turnsAfterClaim(row, nowMs, rivals, taken.length);
    tables.batches.get(batchId)?.turns.set(lane, turns);
  }
  if (taken.length > 0)
    tables.laneRates.set(lane, { ...row, ...rateAfterClaim(row, nowMs, onWire, taken.length) });
  return taken;
}

/**
 * Time in milliseconds until the lane may send for this batch. Null: the lane has no limit, or
 * nothing may be sent.
 */
export function nextTurn(
  tables: Tables,
  batchId: string,
  lane: string,
  nowMs: number,
): number | null {
  const row = rowOf(tables, lane);
  const batch = tables.batches.get(batchId);
  const stopped = tables.lanes.get(lane)?.reason ?? null;
  const isOpen = batch?.state === "approved" && !batch.cancelling && stopped === null;
  if (!isRateLimited(row, nowMs) || !isOpen || isPaused(tables, { batchId, lane }, nowMs))
    return null;
  if (!isReleased(tables, batchId, nowMs)) return null;
  const isDue = batch.payouts
    .get(lane)
    ?.some(({ state, dueMs }) => state === "approved" && dueMs <= nowMs);
  return isDue ? nextTurnMs(row, nowMs) : null;
}

/** Slows a lane down after a stop. */
export function slowLaneDown(
  tables: Tables,
  lane: string,
  { afterMs }: LaneStop,
  nowMs: number,
): void {
  const row = rowOf(tables, lane);
  tables.laneRates.set(lane, { ...row, ...rateAfterStop(afterMs !== undefined, row, nowMs) });
}

/** Restarts the slow phase of these lanes, when they open. */
export function startLanesSlowly(
  { laneRates }: Tables,
  lanes: readonly string[],
  nowMs: number,
): void {
  for (const lane of lanes) {
    const row = laneRates.get(lane);
    if (row?.slowdown)
      laneRates.set(lane, { ...row, slowdown: { ...row.slowdown, sinceMs: nowMs } });
  }
}

/** Sets the limits of a lane. False: no batch has this lane. */
export function limitLane(
  tables: Tables,
  { lane, reason, actor, ...limits }: Omit<LimitOrder, "at">,
  nowMs: number,
): boolean {
  if (![...tables.batches.values()].some(({ payouts }) => payouts.has(lane))) return false;
  const before = rowOf(tables, lane);
  const { rate = before.rate, concurrency = before.concurrency } = limits;
  tables.laneRates.set(lane, { ...before, rate, concurrency, setBy: actor, setMs: nowMs });
  const facts = { rate, concurrency, reason };
  tables.audit.push({ actor, action: "set_lane", object: lane, facts });
  return true;
}

/** Returns the lanes with a limit or in a slow phase. */
export const findLimitedLanes = ({ laneRates }: Tables, nowMs: number): LimitedLane[] =>
  [...laneRates]
    .filter(([, row]) => isRateLimited(row, nowMs))
    .map(([lane, row]) => {
      const { rate, concurrency, setBy, setMs } = row;
      const slowRate = currentSlowdown(row, nowMs)?.rate ?? null;
      return { lane, rate, concurrency, setBy, setAt: setBy ? new Date(setMs) : null, slowRate };
    })
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
