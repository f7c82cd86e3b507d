import type { Clock } from "#clock.ts";
import { type Log, wordsOf } from "#log.ts";

/** What is done at every tick, and how ticks are asked for. */
export interface Ticks {
  run(): Promise<void>;
  /** Asks the queue to go on ticking. Asked for again and again: a queue that was flushed has forgotten. */
  keep(): Promise<void>;
}

const KEEP_MS = 5_000;

export interface Ticker {
  /** The flow of the job. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the queue ticking, and ticks itself where the queue does not. */
export function startTicker(
  { run, keep }: Ticks,
  { clock, log, stop }: { readonly clock: Clock; readonly log: Log; readonly stop: AbortSignal },
): Ticker {
  let lastMs = -Infinity;
  const tick = async () => {
    await run();
    lastMs = clock.monotonicMs();
  };
  const told = (error: unknown) => log.warn({ err: wordsOf(error) }, "tick broke");
  const keeping = (async () => {
    while (!stop.aborted) {
      for (const step of [keep, async () => clock.monotonicMs() - lastMs > KEEP_MS && tick()]) {
        await step().catch(told);
      }
      await clock.sleep(KEEP_MS, stop);
    }
  })();
  // The next one comes in a moment: a job that broke, with its stack, would be told of at each.
  return { tick: () => tick().catch(told), close: () => keeping };
}
