import type { NoStatusAnswer } from "#payout/outcome.ts";
import type { KnownPayout, Timings } from "#payout/decision.ts";

export const DEFER_BASE_MS = 1_000;
const DEFER_MAX_MS = 300_000;
export const DOUBT_BASE_MS = 500;
const QUERY_WAIT_MAX_MS = 600_000;
/**
 * Maximum interval of urgent status queries for payouts up to ten minutes old. Two answers end most
 * doubts, and one ends the silence about an accepted payout, so both end within two minutes of the
 * end of an outage.
 */
const URGENT_QUERY_MS = 30_000;

/**
 * Returns the milliseconds until a payout that the gateway deferred is sent again. Full jitter
 * avoids one wave of many payouts (F60).
 */
export function retryDelayMs(attempts: number, { random }: Pick<Timings, "random">): number {
  const ceiling = Math.min(DEFER_BASE_MS * 2 ** Math.min(attempts, 20), DEFER_MAX_MS);
  return Math.round(ceiling * random());
}

/**
 * Returns the milliseconds until the next status query about a payout. The interval grows with its
 * age, more slowly after silence unless the gateway asked for a pause. It never gives up.
 */
export function queryDelayMs(
  { state, sinceLastSentMs: ageMs }: Pick<KnownPayout, "state" | "sinceLastSentMs">,
  { resolveAfterMs, random }: Pick<Timings, "resolveAfterMs" | "random">,
  silence: NoStatusAnswer | null,
): number {
  const first = state === "in_doubt" ? DOUBT_BASE_MS : resolveAfterMs;
  const { afterMs = null } = silence ?? {};
  const isPressing = state === "in_doubt" || (silence !== null && afterMs === null);
  const most = isPressing ? Math.max(first, URGENT_QUERY_MS, ageMs / 20) : QUERY_WAIT_MAX_MS;
  const byAge = Math.min(Math.max(first, ageMs / 4), most, QUERY_WAIT_MAX_MS);
  const ownMs = Math.round(byAge * (0.75 + 0.5 * random()));
  return Math.max(ownMs, Math.min(afterMs ?? 0, QUERY_WAIT_MAX_MS));
}
