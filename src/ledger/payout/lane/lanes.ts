import { sql } from "kysely";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { storeFinalStateTime } from "#ledger/payout/lane/lane-health.ts";
import { inMs } from "#ledger/store/tables.ts";
import {
  type CircuitBreaker,
  circuitBreakerOf,
  doesDoubtReopen,
  probesOf,
} from "#payout/circuit-breakers.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** A stopped lane, with the reason. */
export interface StoppedLane {
  readonly lane: string;
  readonly reason: string;
  /** `wait`: one payout is sent as a probe at `retryAt`. */
  readonly needs: LaneStop["until"];
  readonly breaker: CircuitBreaker;
  readonly retryAt: Date | null;
  readonly stoppedAt: Date;
}

/** The last time at which a circuit breaker stopped a lane, also by a failed probe. */
export interface BreakerOpening {
  readonly lane: string;
  readonly breaker: CircuitBreaker;
  readonly openedAt: Date;
}

const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/**
 * Stops the lane. Its payouts stay `approved`. If it is stopped again during a probe, the next wait
 * is twice as long. Returns false if it was stopped a moment ago because of another payout that was
 * being sent when the problem started.
 */
export async function stopLane(database: Database, lane: string, stop: LaneStop): Promise<boolean> {
  const baseMs = stop.afterMs ?? RETRY_BASE_MS;
  const { rows } = await sql`
    with stopped as (
    insert into lanes (lane, reason, needs, breaker, probes, retry_at, stops)
    values (${lane}, ${stop.reason}, ${stop.until}, ${circuitBreakerOf(stop)}, ${probesOf(circuitBreakerOf(stop))},
      case when ${stop.until} = 'wait' then now() + ${inMs(baseMs)} end, 1)
    on conflict (lane) do update set
      reason = excluded.reason, needs = excluded.needs, breaker = excluded.breaker, probes = excluded.probes, stops = lanes.stops + 1, updated_at = now(),
      retry_at = case when excluded.needs = 'wait' then greatest(lanes.gateway_pause_until, now() + interval '1 millisecond'
        * greatest(${baseMs}::double precision, least(${RETRY_BASE_MS} * power(2, least(lanes.stops, 10)), ${RETRY_MAX_MS}))) end
    where lanes.reason is null
      -- What was on the wire when a lane stopped for a person does not take it from them.
      or (lanes.updated_at < now() - interval '500 milliseconds' and (lanes.needs <> 'person' or excluded.needs = 'person'))
    returning lane, breaker),
    -- The lane forgets its stop when it reopens.
    openings as (
      insert into breaker_openings (lane, breaker, opened_at) select lane, breaker, now() from stopped
      on conflict (lane, breaker) do update set opened_at = excluded.opened_at)
    select lane from stopped`.execute(database);
  if (stop.afterMs !== undefined) await recordGatewayPause(database, lane, stop.afterMs);
  return rows.length > 0;
}

/**
 * True only for a notably longer pause. Otherwise each of many similar requests would wait for the
 * lane's lock.
 */
const isLonger = (afterMs: number) =>
  sql`(gateway_pause_until is null or gateway_pause_until < now() + ${inMs(afterMs)} - interval '1 second')`;

/**
 * Records a pause that the gateway asks for. It counts even directly after the stop, and no other
 * answer shortens it.
 */
async function recordGatewayPause(
  database: Database,
  lane: string,
  afterMs: number,
): Promise<void> {
  const until = sql`now() + ${inMs(afterMs)}`;
  await sql`
    update lanes set gateway_pause_until = ${until},
      retry_at = case when retry_at is not null then greatest(retry_at, ${until}) end
    where lane = ${lane} and reason is not null and ${isLonger(afterMs)}`.execute(database);
}

/**
 * Returns whether the lane was stopped a moment ago and the gateway does not ask for a longer pause
 * now.
 */
export async function wasStoppedJustNow(
  database: Database,
  lane: string,
  { afterMs }: LaneStop,
): Promise<boolean> {
  const isNew = afterMs === undefined ? sql`false` : isLonger(afterMs);
  const { rows } = await sql`
    select from lanes where lane = ${lane} and reason is not null and not ${isNew}
      and updated_at >= now() - interval '500 milliseconds'`.execute(database);
  return rows.length > 0;
}

/**
 * Opens stopped lanes and returns those that were stopped. Only a person opens a lane that needs a
 * person or whose pause, requested by the gateway, has not passed: answers to earlier requests say
 * nothing about the cause.
 */
export async function openLanes(
  database: Database,
  lanes: readonly string[],
  by: "person" | "answer" = "answer",
): Promise<string[]> {
  if (lanes.length === 0) return [];
  const { rows } = await sql<{ lane: string }>`
    with forgotten as (delete from lane_health where lane = any(${[...lanes]}))
    update lanes set reason = null, needs = null, breaker = null, retry_at = null, gateway_pause_until = null, stops = 0, updated_at = now()
    where lane = any(${[...lanes]}) and reason is not null
      and (${by === "person"} or needs is distinct from 'person' and coalesce(gateway_pause_until <= now(), true))
    returning lane`.execute(database);
  return rows.map(({ lane }) => lane);
}

/**
 * Processes the outcome of a probe. Returns true if it opened the lane. Some circuit breakers
 * require several successful probes in a row. After a failed probe the wait doubles, and a
 * successful one resets it.
 */
export async function recordProbeResult(
  database: Database,
  lane: string,
  isAnswered: boolean,
): Promise<boolean> {
  const [stopped] = (await findStoppedLanes(database)).filter((stop) => stop.lane === lane);
  if (!stopped) return false;
  if (!isAnswered && doesDoubtReopen(stopped.breaker)) {
    const { reason, needs: until, breaker } = stopped;
    await stopLane(database, lane, { until, breaker, reason });
    return false;
  }
  const { rows } = await sql`
    update lanes set probes = probes - 1, stops = 1, retry_at = greatest(gateway_pause_until, now())
    where lane = ${lane} and reason is not null and probes > 1 returning lane`.execute(database);
  return rows.length === 0 && (await openLanes(database, [lane])).length > 0;
}

/** Returns when each circuit breaker of these lanes last opened, latest first. */
export async function findBreakerOpenings(
  database: Database,
  lanes: readonly string[],
): Promise<BreakerOpening[]> {
  const { rows } = await sql<BreakerOpening>`
    select lane, breaker, opened_at as "openedAt" from breaker_openings
    where lane = any(${[...lanes]}) order by opened_at desc, lane, breaker`.execute(database);
  return rows;
}

/** The person who confirms that the cause of a stop is resolved, with the reason. */
export interface OpenedBy {
  readonly actor: string;
  readonly reason: string;
}

/** Opens lanes for a person. Each lane that was stopped gets a line on the audit log. */
export async function openLanesBy(
  transaction: Database,
  lanes: readonly string[],
  { actor, reason }: OpenedBy,
  at: Date,
): Promise<string[]> {
  const opened = await openLanes(transaction, lanes, "person");
  await sql`update unknown_answers set acknowledged_at = coalesce(acknowledged_at, now())
    where lane = any(${opened})`.execute(transaction);
  for (const lane of opened) {
    await storeFinalStateTime(transaction, lane);
    const line: AuditLine = { actor, action: "open_lane", object: lane, facts: { reason } };
    await appendAudit(transaction, at, line);
  }
  return opened;
}

/** Returns all stopped lanes with their reasons. */
export async function findStoppedLanes(database: Database): Promise<StoppedLane[]> {
  const rows = await database
    .selectFrom("lanes")
    .selectAll()
    .where("reason", "is not", null)
    .orderBy("lane")
    .execute();
  return rows.map((row) => ({
    lane: row.lane,
    reason: row.reason ?? "",
    needs: row.needs ?? "wait",
    breaker: row.breaker ?? circuitBreakerOf({ until: row.needs ?? "wait" }),
    retryAt: row.retry_at,
    stoppedAt: row.updated_at,
  }));
}

/** Returns every lane that ever had a payout. */
export async function findKnownLanes(database: Database): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    select distinct lane from batch_lanes order by lane`.execute(database);
  return rows.map(({ lane }) => lane);
}
