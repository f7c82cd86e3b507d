/** What time it is by the server's clock: with that of a computer that is wrong, "3 minutes ago" would be wrong as well. */
let aheadMs = 0;

/** An answer that took longer says too little of when it was written. */
const ON_THE_WAY_MS_MAX = 5_000;

/**
 * @param at as the server wrote it between the question and now.
 * @returns how far this computer's clock is ahead of the server's; below zero it is behind.
 */
export function hearServerTime(at: string, askedMs: number): number {
  const heardMs = Date.now();
  if (heardMs - askedMs <= ON_THE_WAY_MS_MAX) {
    aheadMs = (askedMs + heardMs) / 2 - Date.parse(at);
  }
  return aheadMs;
}

export const serverNowMs = (): number => Date.now() - aheadMs;
