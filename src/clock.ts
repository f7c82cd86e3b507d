/** The only reader of the time and the only sleeper, so that a test or a simulation can own both. */
export interface Clock {
  /** Wall clock, epoch milliseconds. For stamps that others read; never for measuring. */
  nowMs(): number;
  /** Monotonic milliseconds. For deadlines and durations: a clock that is set back cannot stretch them (F62). */
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

/** True when it has ended in this time; false: it is left to itself. @throws what it throws. */
export async function endsWithin(
  limitMs: number,
  work: Promise<unknown>,
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<boolean> {
  const known = new AbortController();
  const ended = work.then(() => true);
  const isOver = clock.sleep(limitMs, known.signal).then(() => false);
  return Promise.race([ended, isOver]).finally(() => known.abort());
}
