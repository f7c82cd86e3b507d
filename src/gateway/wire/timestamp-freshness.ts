/** Maximum age of a timestamp at the gateway (specification, Limits). */
const AGE_MAX_SECONDS = 3600;
/** Maximum time that a timestamp may be ahead of the gateway's clock (specification, Limits). */
const AHEAD_MAX_SECONDS = 300;

/**
 * Returns the timestamp of a request sent now, in Unix seconds. Each attempt gets a new one, which
 * is never stored.
 */
export const timestampAt = (nowMs: number): number => Math.floor(nowMs / 1000);

/** Returns whether the gateway accepts a timestamp (Unix seconds) at this time. */
export function isFresh(timestamp: string, nowMs: number): boolean {
  const ageSeconds = nowMs / 1000 - Number(timestamp);
  return ageSeconds <= AGE_MAX_SECONDS && ageSeconds >= -AHEAD_MAX_SECONDS;
}
