import type { Clock } from "#base/clock.ts";
import { type Log, messageOf } from "#base/log.ts";

/** The work of each tick, and how ticks are requested. */
export interface TickJob {
  run(): Promise<void>;
  /**
   * Asks the queue to keep ticking. Called repeatedly, because a flushed queue loses its schedule.
   */
  keepScheduled(): Promise<void>;
}

const KEEP_MS = 5_000;

export interface Ticker {
  /** The flow of the job. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the queue ticking, and ticks in this process when the queue does not. */
export function startTicker(
  { run, keepScheduled }: TickJob,
  { clock, log, stop }: { readonly clock: Clock; readonly log: Log; readonly stop: AbortSignal },
): Ticker {
  let lastMs = -Infinity;
  const tick = async () => {
    await run();
    lastMs = clock.monotonicMs();
  };
  const told = (error: unknown) => log.warn({ err: messageOf(error) }, "tick failed, retrying");
  const keeping = (async () => {
    while (!stop.aborted) {
      for (const step of [
        keepScheduled,
        async () => clock.monotonicMs() - lastMs > KEEP_MS && tick(),
      ]) {
        await step().catch(told);
      }
      await clock.sleep(KEEP_MS, stop);
    }
  })();
  // The next tick follows shortly: a failing job would be logged with its stack on every tick.
  return { tick: () => tick().catch(told), close: () => keeping };
}
