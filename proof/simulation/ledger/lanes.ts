import type { StoppedLane } from "#ledger/ledger.ts";
import type { LaneStop } from "#payout/outcome.ts";
import type { Tables } from "./tables.ts";

/** src/ledger/lanes.ts in memory. */

const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const AGAIN_AFTER_MS = 500;

export function stopLane(tables: Tables, lane: string, stop: LaneStop, nowMs: number): boolean {
  const baseMs = stop.afterMs ?? RETRY_BASE_MS;
  const row = tables.lanes.get(lane);
  if (row && row.reason !== null && row.updatedMs >= nowMs - AGAIN_AFTER_MS) return false;
  const stops = row?.stops ?? 0;
  const waitMs = row
    ? Math.max(baseMs, Math.min(RETRY_BASE_MS * 2 ** Math.min(stops, 10), RETRY_MAX_MS))
    : baseMs;
  tables.lanes.set(lane, {
    reason: stop.reason,
    needs: stop.until,
    retryMs: stop.until === "wait" ? nowMs + waitMs : null,
    stops: stops + 1,
    updatedMs: nowMs,
  });
  return true;
}

export function openLanes(tables: Tables, lanes: readonly string[], nowMs: number): string[] {
  return [...new Set(lanes)].filter((lane) => {
    const row = tables.lanes.get(lane);
    if (!row || row.reason === null) return false;
    tables.lanes.set(lane, {
      reason: null,
      needs: null,
      retryMs: null,
      stops: 0,
      updatedMs: nowMs,
    });
    return true;
  });
}

export const stoppedLanes = (tables: Tables): StoppedLane[] =>
  [...tables.lanes]
    .flatMap(([lane, { reason, needs, retryMs, updatedMs }]) =>
      reason === null
        ? []
        : [
            {
              lane,
              reason,
              needs: needs ?? ("wait" as const),
              retryAt: retryMs === null ? null : new Date(retryMs),
              stoppedAt: new Date(updatedMs),
            },
          ],
    )
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
