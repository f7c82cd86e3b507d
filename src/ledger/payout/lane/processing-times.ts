import { type RawBuilder, sql } from "kysely";
import type { Clock } from "#base/clock.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Longest processing times of payout requests at the gateway, per lane and hour. A code in doubt is
 * not sent again until twice the longest time of the last day has passed (payout/resend.ts),
 * regardless of which process measured it.
 */

const HOUR_MS = 3_600_000;
/** Shorter times never affect the decision. */
const RECORDED_MIN_MS = 1_000;
/**
 * Factor by which a time must exceed the last recorded one of its hour to be recorded. The margin
 * of the wait covers the rest.
 */
const LONGER_FACTOR = 1.1;

/**
 * Returns the longest processing time of the last day in a lane, in milliseconds; 0 if there is
 * none.
 */
export const longestProcessingTime = (
  lane: RawBuilder<unknown>,
): RawBuilder<number> => sql<number>`coalesce((
    select max(longest_ms) from lane_processing s
    where s.lane = ${lane} and s.hour > now() - interval '25 hours'), 0)`;

/**
 * Returns the longest recorded processing time of a lane in the last day, in milliseconds. 0: none.
 */
export async function findLongestProcessingTime(database: Database, lane: string): Promise<number> {
  const { rows } = await sql<{ slowest: number }>`
    select ${longestProcessingTime(sql`${lane}`)} as slowest`.execute(database);
  return rows[0]?.slowest ?? 0;
}

async function recordProcessingTime(
  database: Database,
  lane: string,
  tookMs: number,
): Promise<void> {
  await sql`
    with old as (delete from lane_processing where hour < now() - interval '2 days')
    insert into lane_processing (lane, hour, longest_ms) values (${lane}, date_trunc('hour', now()), ${Math.ceil(tookMs)})
    on conflict (lane, hour) do update set longest_ms = greatest(lane_processing.longest_ms, excluded.longest_ms)`.execute(
    database,
  );
}

/** Selects which of the times that a process measures are worth a write. */
export class ProcessingTimeRecorder {
  readonly #nowMs: Clock["nowMs"];
  readonly #record: (lane: string, tookMs: number) => Promise<void>;
  readonly #recorded = new Map<string, { readonly hour: number; readonly tookMs: number }>();

  constructor(nowMs: Clock["nowMs"], note: (lane: string, tookMs: number) => Promise<void>) {
    this.#nowMs = nowMs;
    this.#record = note;
  }

  async record(lane: string, tookMs: number): Promise<void> {
    const hour = Math.floor(this.#nowMs() / HOUR_MS);
    const noted = this.#recorded.get(lane);
    const knownMs = noted?.hour === hour ? noted.tookMs : 0;
    if (tookMs < RECORDED_MIN_MS || tookMs < LONGER_FACTOR * knownMs) return;
    await this.#record(lane, tookMs);
    this.#recorded.set(lane, { hour, tookMs });
  }
}

/** Creates the buffer that stores long processing times. */
export const createProcessingTimeRecorder = (
  database: Database,
  nowMs: Clock["nowMs"],
): ProcessingTimeRecorder =>
  new ProcessingTimeRecorder(nowMs, (lane, tookMs) => recordProcessingTime(database, lane, tookMs));
