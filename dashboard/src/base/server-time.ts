/** The server's time, because "3 minutes ago" would be wrong on a computer with a wrong clock. */
let aheadMs = 0;

/** Maximum time of a request whose answer is used. After a slower one its time is too uncertain. */
const ON_THE_WAY_MS_MAX = 5_000;

/**
 * Records the time of the server, from which all shown times come.
 *
 * @param at the server's time, from its answer to the request made at `askedMs`.
 * @returns the lead of this computer's clock over the server's, in milliseconds; negative: behind.
 */
export function recordServerTime(at: string, askedMs: number): number {
  const heardMs = Date.now();
  if (heardMs - askedMs <= ON_THE_WAY_MS_MAX) {
    aheadMs = (askedMs + heardMs) / 2 - Date.parse(at);
  }
  return aheadMs;
}

/** Returns the current time by the server's clock, in milliseconds since 1970. */
export const serverNowMs = (): number => Date.now() - aheadMs;
