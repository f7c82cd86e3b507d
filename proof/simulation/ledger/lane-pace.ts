import { rankOf } from "#payout/priority.ts";
import type { LimitOrder, PacedLane } from "#ledger/payout/lane/rate-limit.ts";
import {
  isPaced,
  nextTurnMs,
  NO_PACE,
  type Rivals,
  slowedBy,
  slowNow,
  took,
  turnsAfter,
  turnsOf,
} from "#payout/lane/rate-limit.ts";
import { isPaused } from "./lanes.ts";
import { isLetGo, waits } from "./sendings.ts";
import type { LanePaceRow, Tables } from "./tables.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** src/ledger/payout/lane/rate-limit.ts in memory, with the product's own decisions. */

const rowOf = ({ lanePace }: Tables, lane: string): LanePaceRow =>
  lanePace.get(lane) ?? { ...NO_PACE, setBy: null, setMs: 0 };

const inFlight = ({ payouts }: Tables, lane: string): number =>
  payouts.filter((payout) => payout.state === "submitting" && payout.lane === lane).length;

/** Other batches that now have work in this lane. */
function rivalsOf(tables: Tables, batchId: string, lane: string, nowMs: number): Rivals {
  const { batches } = tables;
  const rank = rankOf(batches.get(batchId)?.priority ?? "normal");
  const rivals = [...batches.values()].filter(
    ({ id, state, cancelling, payouts }) =>
      id !== batchId &&
      state === "approved" &&
      !cancelling &&
      !waits(tables, id) &&
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
  const row = tables.lanePace.get(lane);
  if (!row || !isPaced(row, nowMs)) return takeSome(sizeMax);
  const onWire = inFlight(tables, lane);
  const rivals = rivalsOf(tables, batchId, lane, nowMs);
  const size = Math.min(sizeMax, turnsOf(row, nowMs, onWire, rivals));
  const taken = size > 0 ? takeSome(size) : [];
  if (rivals.turns === null || taken.length > 0) {
    const turns = turnsAfter(row, nowMs, rivals, taken.length);
    tables.batches.get(batchId)?.turns.set(lane, turns);
  }
  if (taken.length > 0)
    tables.lanePace.set(lane, { ...row, ...took(row, nowMs, onWire, taken.length) });
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
  if (!isPaced(row, nowMs) || !isOpen || isPaused(tables, { batchId, lane }, nowMs)) return null;
  if (!isLetGo(tables, batchId, nowMs)) return null;
  const isDue = batch.payouts
    .get(lane)
    ?.some(({ state, dueMs }) => state === "approved" && dueMs <= nowMs);
  return isDue ? nextTurnMs(row, nowMs) : null;
}

/** Slows a lane down after a stop. */
export function slowLane(tables: Tables, lane: string, { afterMs }: LaneStop, nowMs: number): void {
  const row = rowOf(tables, lane);
  tables.lanePace.set(lane, { ...row, ...slowedBy(afterMs !== undefined, row, nowMs) });
}

/** Restarts the slow phase of these lanes, when they open. */
export function startSlowly({ lanePace }: Tables, lanes: readonly string[], nowMs: number): void {
  for (const lane of lanes) {
    const row = lanePace.get(lane);
    if (row?.slow) lanePace.set(lane, { ...row, slow: { ...row.slow, sinceMs: nowMs } });
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
  tables.lanePace.set(lane, { ...before, rate, concurrency, setBy: actor, setMs: nowMs });
  const facts = { rate, concurrency, reason };
  tables.audit.push({ actor, action: "set_lane", object: lane, facts });
  return true;
}

/** Returns the lanes with a limit or in a slow phase. */
export const pacedLanes = ({ lanePace }: Tables, nowMs: number): PacedLane[] =>
  [...lanePace]
    .filter(([, row]) => isPaced(row, nowMs))
    .map(([lane, row]) => {
      const { rate, concurrency, setBy, setMs } = row;
      const slowRate = slowNow(row, nowMs)?.rate ?? null;
      return { lane, rate, concurrency, setBy, setAt: setBy ? new Date(setMs) : null, slowRate };
    })
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
