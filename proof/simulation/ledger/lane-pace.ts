import type { LimitOrder, PacedLane } from "#ledger/lane-pace.ts";
import {
  isPaced,
  nextTurnMs,
  NO_PACE,
  slowedBy,
  slowNow,
  took,
  turnsOf,
} from "#payout/lane-pace.ts";
import type { LaneStop } from "#payout/outcome.ts";
import { isPaused } from "./lanes.ts";
import type { LanePaceRow, Tables } from "./tables.ts";

/** src/ledger/lane-pace.ts in memory: what is decided is the product's own. */

const rowOf = ({ lanePace }: Tables, lane: string): LanePaceRow =>
  lanePace.get(lane) ?? { ...NO_PACE, setBy: null, setMs: 0 };

const inFlight = ({ payouts }: Tables, lane: string): number =>
  payouts.filter((payout) => payout.state === "submitting" && payout.lane === lane).length;

export const turnsIn = (tables: Tables, lane: string, nowMs: number): number =>
  turnsOf(rowOf(tables, lane), nowMs, inFlight(tables, lane));

/** Before the payouts are claimed: what is in flight does not count them. */
export function take(tables: Tables, lane: string, count: number, nowMs: number): void {
  const row = tables.lanePace.get(lane);
  if (!row || count === 0) return;
  const after = took(row, nowMs, inFlight(tables, lane), count);
  tables.lanePace.set(lane, { ...row, ...after });
}

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
  if (!isPaced(row, nowMs) || !isOpen || isPaused(tables, lane, nowMs)) return null;
  const isDue = batch.payouts
    .get(lane)
    ?.some(({ state, dueMs }) => state === "approved" && dueMs <= nowMs);
  return isDue ? nextTurnMs(row, nowMs) : null;
}

export function slowLane(tables: Tables, lane: string, { afterMs }: LaneStop, nowMs: number): void {
  const row = rowOf(tables, lane);
  tables.lanePace.set(lane, { ...row, ...slowedBy(afterMs !== undefined, row, nowMs) });
}

export function startSlowly({ lanePace }: Tables, lanes: readonly string[], nowMs: number): void {
  for (const lane of lanes) {
    const row = lanePace.get(lane);
    if (row?.slow) lanePace.set(lane, { ...row, slow: { ...row.slow, sinceMs: nowMs } });
  }
}

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

export const pacedLanes = ({ lanePace }: Tables, nowMs: number): PacedLane[] =>
  [...lanePace]
    .filter(([, row]) => isPaced(row, nowMs))
    .map(([lane, row]) => {
      const { rate, concurrency, setBy, setMs } = row;
      const slowRate = slowNow(row, nowMs)?.rate ?? null;
      return { lane, rate, concurrency, setBy, setAt: setBy ? new Date(setMs) : null, slowRate };
    })
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
