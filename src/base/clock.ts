/**
 * The only source of time and the only way to sleep, so a test or a simulation can control both.
 */
export interface Clock {
  /**
   * Wall-clock time in Unix milliseconds. Use it for timestamps that others read, never for
   * measuring.
   */
  nowMs(): number;
  /**
   * Monotonic milliseconds. Use it for deadlines and durations: setting the clock back cannot
   * extend them (F62).
   */
  monotonicMs(): number;
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, delayMs);
      signal?.addEventListener("abort", wake, { once: true });
    }),
};

/**
 * Returns true if `work` ends within the time limit, and false otherwise; `work` is then not
 * awaited.
 * @throws whatever `work` throws.
 */
export async function finishesWithin(
  limitMs: number,
  work: Promise<unknown>,
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<boolean> {
  const known = new AbortController();
  const ended = work.then(() => true);
  const isOver = clock.sleep(limitMs, known.signal).then(() => false);
  return Promise.race([ended, isOver]).finally(() => known.abort());
}
