import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { notPaused } from "#ledger/payout/lane/lane-pauses.ts";
import { storeTurns, findCompetingBatches } from "#ledger/payout/lane/priority.ts";
import { isReleased } from "#ledger/schedule/send-times.ts";
import {
  isRateLimited,
  type RateLimits,
  type LaneRate,
  nextTurnMs,
  rateAfterStop,
  currentSlowdown,
  rateAfterClaim,
  turnsAfterClaim,
  availableTurns,
} from "#payout/lane/rate-limit.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** Requested limits of a lane. Absent values stay unchanged. */
export interface LimitOrder extends Partial<RateLimits> {
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
}

/** A lane that is not sent at full speed. */
export interface LimitedLane extends RateLimits {
  readonly lane: string;
  /**
   * Who set the limits last. Null: nobody did; the lane is slow because of the gateway's answers.
   */
  readonly setBy: string | null;
  readonly setAt: Date | null;
  /** Payouts per second that the gateway's answers allow now. Null: they do not limit the lane. */
  readonly slowRate: number | null;
}

interface LaneRateRow {
  lane: string;
  rate: number | null;
  concurrency: number | null;
  set_by: string | null;
  set_at: Date | null;
  used_until_ms: number;
  slow_rate: number | null;
  slow_target: number | null;
  slow_sent: number;
  slow_since_ms: number;
  now_ms: number;
}

const NOW_MS = sql`(extract(epoch from clock_timestamp()) * 1000)::double precision`;

const laneRateOf = (row: LaneRateRow): LaneRate => ({
  rate: row.rate,
  concurrency: row.concurrency,
  usedUntilMs: row.used_until_ms,
  slowdown:
    row.slow_rate === null
      ? null
      : {
          rate: row.slow_rate,
          targetRate: row.slow_target,
          sent: row.slow_sent,
          sinceMs: row.slow_since_ms,
        },
});

/**
 * Timeouts. A hung process must release the lane soon, and a process that waits for its turn must
 * not wait longer than the maximum age of a claim at sending.
 */
const SET_TIMEOUTS = sql`select set_config('idle_in_transaction_session_timeout', '5s', true), set_config('lock_timeout', '1s', true)`;
const LOCK_TIMEOUT = "55P03";

/** Locks the lane's row until the transaction ends. Null: nothing limits the lane. */
async function lockLaneRate(transaction: Database, lane: string): Promise<LaneRateRow | null> {
  await SET_TIMEOUTS.execute(transaction);
  const { rows } = await sql<LaneRateRow>`
    select lane, rate, concurrency, set_by, set_at, used_until_ms, slow_rate, slow_target, slow_sent, slow_since_ms,
      ${NOW_MS} as now_ms
    from lane_rate_limits where lane = ${lane} for update`.execute(transaction);
  return rows[0] ?? null;
}

/** Stores the pace. A lane that nothing limits has no row. */
async function storeLaneRate(
  transaction: Database,
  lane: string,
  pace: LaneRate,
  nowMs: number,
): Promise<void> {
  if (!isRateLimited(pace, nowMs)) {
    await sql`delete from lane_rate_limits where lane = ${lane}`.execute(transaction);
    return;
  }
  const slow = currentSlowdown(pace, nowMs);
  await sql`
    update lane_rate_limits set rate = ${pace.rate}, concurrency = ${pace.concurrency}, used_until_ms = ${pace.usedUntilMs},
      slow_rate = ${slow?.rate ?? null}, slow_target = ${slow?.targetRate ?? null}, slow_sent = ${slow?.sent ?? 0},
      slow_since_ms = ${slow?.sinceMs ?? 0}
    where lane = ${lane}`.execute(transaction);
}

/** Counts requests of the lane without a recorded answer, over all batches and processes. */
async function countSubmitting(transaction: Database, lane: string): Promise<number> {
  // Ordered by the last column of its index: see migrations/0001.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payouts where lane = ${lane} and state = 'submitting' order by id) s`.execute(
    transaction,
  );
  return rows[0]?.count ?? 0;
}

interface BatchInLane {
  readonly batchId: string;
  readonly lane: string;
}

/** Claims up to `sizeMax`, under the condition of the gate. */
type ClaimSome<Taken> = (
  database: Database,
  sizeMax: number,
  gate: RawBuilder<boolean>,
) => Promise<readonly Taken[]>;

/**
 * Serialises the claims of a paced lane over all processes. A claim holds the lane's row until the
 * commit, so turns are used exactly when payouts are claimed. An unlimited lane has no such cost.
 */
export class LaneTurns {
  readonly #database: Database;
  readonly #sending: Database;
  readonly #limitedLanes = new Set<string>();
  /** One connection per lane may wait for its turn. */
  readonly #waiting = new Map<string, Promise<unknown>>();

  /** @param sending for claims of unlimited lanes: waiting for a turn must not delay an outcome. */
  constructor(database: Database, sending: Database) {
    this.#database = database;
    this.#sending = sending;
  }

  async claim<Taken>(
    { batchId, lane }: BatchInLane,
    sizeMax: number,
    condition: RawBuilder<boolean>,
    takeSome: ClaimSome<Taken>,
  ): Promise<readonly Taken[]> {
    const inTurn = () =>
      this.#inTurn(lane, () => this.#claimInTurn({ batchId, lane }, sizeMax, condition, takeSome));
    const taken = this.#limitedLanes.has(lane) ? await inTurn() : null;
    if (taken) return taken;
    const isFree = sql<boolean>`(${condition} and not exists (select from lane_rate_limits where lane = ${lane}))`;
    const free = await takeSome(this.#sending, sizeMax, isFree);
    if (free.length > 0 || !(await isLimited(this.#database, lane))) return free;
    this.#limitedLanes.add(lane);
    return (await inTurn()) ?? [];
  }

  /** Runs after earlier claims of this process that wait for the lane. */
  #inTurn<Taken>(lane: string, claim: () => Promise<Taken>): Promise<Taken | []> {
    const before = this.#waiting.get(lane);
    const mine = (async () => {
      await before?.catch(() => {});
      return await claim().catch(noneIfLockTimedOut);
    })();
    this.#waiting.set(lane, mine);
    return mine;
  }

  /** Null: nothing limits the lane any longer. */
  #claimInTurn<Taken>(
    { batchId, lane }: BatchInLane,
    sizeMax: number,
    condition: RawBuilder<boolean>,
    takeSome: ClaimSome<Taken>,
  ): Promise<readonly Taken[] | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await lockLaneRate(transaction, lane);
      if (!row) {
        this.#limitedLanes.delete(lane);
        return null;
      }
      const pace = laneRateOf(row);
      const inFlight = await countSubmitting(transaction, lane);
      const rivals = await findCompetingBatches(transaction, batchId, lane);
      const size = Math.min(sizeMax, availableTurns(pace, row.now_ms, inFlight, rivals));
      const taken = size > 0 ? await takeSome(transaction, size, condition) : [];
      const isNew = rivals.turns === null;
      if (isNew || taken.length > 0) {
        const turns = turnsAfterClaim(pace, row.now_ms, rivals, taken.length);
        await storeTurns(transaction, batchId, lane, turns);
      }
      if (taken.length > 0) {
        const after = rateAfterClaim(pace, row.now_ms, inFlight, taken.length);
        await storeLaneRate(transaction, lane, after, row.now_ms);
      }
      return taken;
    });
  }
}

/** Other processes hold the lane. The next attempt gets the turns that are left. */
function noneIfLockTimedOut(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === LOCK_TIMEOUT) return [];
  throw error;
}

async function isLimited(database: Database, lane: string): Promise<boolean> {
  const { rows } = await sql`select from lane_rate_limits where lane = ${lane}`.execute(database);
  return rows.length > 0;
}

/**
 * Returns the time in milliseconds until the next claim of a batch in a lane limited by its pace,
 * or null if there is none.
 */
export async function nextTurn(
  database: Database,
  batchId: string,
  lane: string,
): Promise<number | null> {
  const { rows } = await sql<LaneRateRow>`
    select p.*, ${NOW_MS} as now_ms from lane_rate_limits p
    where p.lane = ${lane}
      and ${notPaused(batchId, lane)} and ${isReleased(batchId)}
      and not exists (select from lanes where lane = ${lane} and reason is not null)
      and exists (select from batches where id = ${batchId} and state = 'approved' and not cancelling)
      and exists (select from payouts where batch_id = ${batchId} and lane = ${lane}
        and state = 'approved' and due_at <= now() order by line limit 1)`.execute(database);
  return rows[0] ? nextTurnMs(laneRateOf(rows[0]), rows[0].now_ms) : null;
}

/** Creates the lane's row if needed, and locks it until the transaction ends. */
async function lockOrCreateRow(transaction: Database, lane: string): Promise<LaneRateRow> {
  const { rows } = await sql<LaneRateRow>`
    insert into lane_rate_limits (lane) values (${lane}) on conflict (lane) do update set lane = excluded.lane
    returning *, ${NOW_MS} as now_ms`.execute(transaction);
  return rows[0] as LaneRateRow;
}

/** Makes the lane start with a few payouts after a stop. */
export async function slowLaneDown(
  transaction: Database,
  lane: string,
  { afterMs }: LaneStop,
): Promise<void> {
  const row = await lockOrCreateRow(transaction, lane);
  const slowed = rateAfterStop(afterMs !== undefined, laneRateOf(row), row.now_ms);
  await storeLaneRate(transaction, lane, slowed, row.now_ms);
}

/**
 * Makes the lanes start with a few payouts from now on, regardless of how long they were stopped.
 */
export async function startLanesSlowly(
  transaction: Database,
  lanes: readonly string[],
): Promise<void> {
  await sql`update lane_rate_limits set slow_since_ms = ${NOW_MS}
    where lane = any(${[...lanes]}) and slow_rate is not null`.execute(transaction);
}

/** Returns false if the lane never had a payout. */
export async function limitLane(transaction: Database, order: LimitOrder): Promise<boolean> {
  const { lane, reason, actor, at } = order;
  const { rows } = await sql`select from batch_lanes where lane = ${lane} limit 1`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  const row = await lockOrCreateRow(transaction, lane);
  const before = laneRateOf(row);
  const { rate = before.rate, concurrency = before.concurrency } = order;
  await storeLaneRate(transaction, lane, { ...before, rate, concurrency }, row.now_ms);
  await sql`update lane_rate_limits set set_by = ${actor}, set_at = ${at} where lane = ${lane}`.execute(
    transaction,
  );
  const facts = { rate, concurrency, reason };
  await appendAudit(transaction, at, { actor, action: "set_lane", object: lane, facts });
  return true;
}

/** Returns the lanes that have a rate limit, a concurrency limit or a slowdown. */
export async function findLimitedLanes(database: Database): Promise<LimitedLane[]> {
  const { rows } = await sql<LaneRateRow>`
    select *, ${NOW_MS} as now_ms from lane_rate_limits order by lane`.execute(database);
  return rows.flatMap((row) => {
    const pace = laneRateOf(row);
    if (!isRateLimited(pace, row.now_ms)) return [];
    const slowRate = currentSlowdown(pace, row.now_ms)?.rate ?? null;
    const { lane, rate, concurrency, set_by: setBy, set_at: setAt } = row;
    return [{ lane, rate, concurrency, setBy, setAt, slowRate }];
  });
}
