import { EVERY_LANE } from "#payout/lane/lane.ts";
import type { PauseOrder } from "#ledger/payout/lane/lane-pauses.ts";
import type { OpenedBy } from "#ledger/payout/lane/lanes.ts";
import type { LanePause, StoppedLane } from "#ledger/ledger.ts";
import { circuitBreakerOf, doesDoubtReopen, probesOf } from "#payout/circuit-breakers.ts";
import { SEND_RESULTS_KEPT_MS, SEND_RESULTS_KEPT } from "#payout/lane/lane-health.ts";
import type { BatchRow, LanePauseRow, PayoutRow, Tables } from "./tables.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** src/ledger/payout/lane/lanes.ts and lane-pauses.ts in memory. */

const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const AGAIN_AFTER_MS = 500;

/** Stops a lane. False: it was already stopped. */
export function stopLane(tables: Tables, lane: string, stop: LaneStop, nowMs: number): boolean {
  const baseMs = stop.afterMs ?? RETRY_BASE_MS;
  const row = tables.lanes.get(lane);
  const isStopped = row !== undefined && row.reason !== null;
  const gatewayPauseUntilMs = Math.max(row?.gatewayPauseUntilMs ?? 0, nowMs + (stop.afterMs ?? 0));
  const isKnown = isStopped && row.updatedMs >= nowMs - AGAIN_AFTER_MS;
  if (isKnown || (isStopped && row.needs === "person" && stop.until !== "person")) {
    const retryMs = row.retryMs === null ? null : Math.max(row.retryMs, gatewayPauseUntilMs);
    if (stop.afterMs !== undefined)
      tables.lanes.set(lane, { ...row, gatewayPauseUntilMs, retryMs });
    return false;
  }
  const stops = row?.stops ?? 0;
  const waitMs = row
    ? Math.max(baseMs, Math.min(RETRY_BASE_MS * 2 ** Math.min(stops, 10), RETRY_MAX_MS))
    : baseMs;
  tables.lanes.set(lane, {
    reason: stop.reason,
    needs: stop.until,
    breaker: circuitBreakerOf(stop),
    probes: probesOf(circuitBreakerOf(stop)),
    retryMs: stop.until === "wait" ? Math.max(gatewayPauseUntilMs, nowMs + waitMs) : null,
    gatewayPauseUntilMs,
    stops: stops + 1,
    updatedMs: nowMs,
  });
  return true;
}

/** Opens stopped lanes. Returns the lanes that were stopped. */
export function openLanes(
  tables: Tables,
  lanes: readonly string[],
  nowMs: number,
  by?: OpenedBy,
): string[] {
  const opened = [...new Set(lanes)].filter((lane) => {
    const row = tables.lanes.get(lane);
    if (!row || row.reason === null) return false;
    if (!by && (row.needs === "person" || row.gatewayPauseUntilMs > nowMs)) return false;
    tables.lanes.set(lane, {
      reason: null,
      needs: null,
      breaker: null,
      probes: 1,
      retryMs: null,
      gatewayPauseUntilMs: 0,
      stops: 0,
      updatedMs: nowMs,
    });
    tables.health.delete(lane);
    return true;
  });
  if (by) {
    for (const [key, answer] of tables.unknownAnswers) {
      if (opened.includes(answer.lane))
        tables.unknownAnswers.set(key, { ...answer, isLooked: true });
    }
    const { actor, reason } = by;
    for (const object of opened) {
      tables.finalStates.set(object, nowMs);
      tables.audit.push({ actor, action: "open_lane", object, facts: { reason } });
    }
  }
  return opened;
}

/** Returns the lanes that stopped automatically. */
export const stoppedLanes = (tables: Tables): StoppedLane[] =>
  [...tables.lanes]
    .flatMap(([lane, { reason, needs, breaker, retryMs, updatedMs }]) =>
      reason === null
        ? []
        : [
            {
              lane,
              reason,
              needs: needs ?? ("wait" as const),
              breaker: breaker ?? ("outage" as const),
              retryAt: retryMs === null ? null : new Date(retryMs),
              stoppedAt: new Date(updatedMs),
            },
          ],
    )
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));

/** Ends a trial request of a stopped lane. False: the lane has no trial. */
export function recordProbeResult(
  tables: Tables,
  lane: string,
  isAnswered: boolean,
  nowMs: number,
): boolean {
  const row = tables.lanes.get(lane);
  if (!row || row.reason === null || row.needs === null || row.breaker === null) return false;
  const { reason, needs: until, breaker, probes } = row;
  if (!isAnswered && doesDoubtReopen(breaker)) {
    stopLane(tables, lane, { until, breaker, reason }, nowMs);
    return false;
  }
  if (probes <= 1) return openLanes(tables, [lane], nowMs).length > 0;
  tables.lanes.set(lane, {
    ...row,
    probes: probes - 1,
    stops: 1,
    retryMs: Math.max(row.gatewayPauseUntilMs, nowMs),
  });
  return false;
}

/**
 * Appends results to the health of an open lane. Returns all its results. Null: the lane is
 * stopped.
 */
export function appendSendResults(
  tables: Tables,
  lane: string,
  added: string,
  nowMs: number,
): string | null {
  const row = tables.lanes.get(lane);
  if (row && row.reason !== null) return null;
  const before = tables.health.get(lane);
  const isForgotten = !before || before.atMs < nowMs - SEND_RESULTS_KEPT_MS;
  const marks = ((isForgotten ? "" : before.marks) + added).slice(-SEND_RESULTS_KEPT);
  tables.health.set(lane, { marks, atMs: nowMs });
  return marks;
}

/**
 * Counts an answer that payrun does not understand. Returns the count. Null: a person has looked at
 * it.
 */
export function recordUnknownAnswer(tables: Tables, lane: string, answer: string): number | null {
  const key = `${lane} ${answer}`;
  const { times, isLooked } = tables.unknownAnswers.get(key) ?? { times: 0, isLooked: false };
  tables.unknownAnswers.set(key, { lane, times: times + 1, isLooked });
  return isLooked ? null : times + 1;
}

const holds = (pause: LanePauseRow | undefined, nowMs: number): pause is LanePauseRow =>
  pause !== undefined && (pause.untilMs === null || pause.untilMs > nowMs);

/** Returns whether a person paused the lane for this batch. */
export const isPaused = (
  { lanePauses: pauses }: Tables,
  { batchId, lane }: { readonly batchId: string; readonly lane: string },
  nowMs: number,
): boolean =>
  [lane, EVERY_LANE].some((name) => {
    const pause = pauses.get(name);
    return holds(pause, nowMs) && !pause.finishing?.includes(batchId);
  });

const rowsIn = ({ payouts }: BatchRow, lane: string): readonly PayoutRow[] =>
  lane === EVERY_LANE ? [...payouts.values()].flat() : (payouts.get(lane) ?? []);

/** Pauses a lane on the order of a person. False: no batch has this lane. */
export function pauseLane(
  tables: Tables,
  { lane, reason, actor, until, drain }: Omit<PauseOrder, "at">,
  nowMs: number,
): boolean {
  const isKnown = [...tables.batches.values()].some(({ payouts }) => payouts.has(lane));
  if (lane !== EVERY_LANE && !isKnown) return false;
  const untilMs = until?.getTime() ?? null;
  const begun = [...tables.batches.values()].filter(
    (batch) =>
      (batch.state === "approved" || batch.state === "paused") &&
      rowsIn(batch, lane).some(({ firstSentMs }) => firstSentMs !== null),
  );
  const finishing = drain ? begun.map(({ id }) => id) : null;
  tables.lanePauses.set(lane, { reason, actor, pausedMs: nowMs, untilMs, finishing });
  const facts = { reason, until: until?.toISOString() ?? null, drain };
  tables.audit.push({ actor, action: "pause_lane", object: lane, facts });
  return true;
}

/** Resumes a lane that a person paused. False: it was not paused. */
export function resumeLane(
  tables: Tables,
  { lane, reason, actor }: Omit<PauseOrder, "at" | "until" | "drain">,
  nowMs: number,
): boolean {
  if (!holds(tables.lanePauses.get(lane), nowMs)) return false;
  tables.lanePauses.delete(lane);
  tables.audit.push({ actor, action: "resume_lane", object: lane, facts: { reason } });
  return true;
}

/** Returns the pauses that are in effect. */
export const lanePauses = (tables: Tables, nowMs: number): LanePause[] =>
  [...tables.lanePauses]
    .filter(([, pause]) => holds(pause, nowMs))
    .map(([lane, { reason, actor, pausedMs, untilMs, finishing }]) => ({
      lane,
      reason,
      actor,
      pausedAt: new Date(pausedMs),
      until: untilMs === null ? null : new Date(untilMs),
      finishing:
        finishing?.filter((id) => {
          const batch = tables.batches.get(id);
          return batch && rowsIn(batch, lane).some(({ state }) => state === "approved");
        }) ?? null,
    }))
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
