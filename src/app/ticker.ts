import type { Clock } from "#base/clock.ts";
import { type Log, messageOf } from "#base/log.ts";

/** The work of each tick, and how ticks are requested. */
export interface TickJob {
  run(): Promise<void>;
  /** Writes the result files that are due. */
  writeResults?(): Promise<void>;
  /**
   * Asks the queue to keep ticking. Called repeatedly, because a flushed queue loses its schedule.
   */
  keepScheduled(): Promise<void>;
}

const KEEP_MS = 5_000;
/** Milliseconds between two searches for result files to write. */
const RESULTS_EVERY_MS = 1_000;

export interface Ticker {
  /** The flow of the job. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

interface TickerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly stop: AbortSignal;
}

/**
 * Keeps the queue ticking, ticks in this process when the queue does not, and writes result files.
 */
export function startTicker(
  { run, writeResults, keepScheduled }: TickJob,
  { clock, log, stop }: TickerDeps,
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
  // A loop of its own: a write to a dead network mount may last for hours, and delays no tick.
  const writing = writeResults && keepWriting(writeResults, { clock, log, stop });
  // The next tick follows shortly: a failing job would be logged with its stack on every tick.
  return {
    tick: () => tick().catch(told),
    async close() {
      await Promise.all([keeping, writing]);
    },
  };
}

async function keepWriting(
  write: () => Promise<void>,
  { clock, log, stop }: TickerDeps,
): Promise<void> {
  while (!stop.aborted) {
    await write().catch((error: unknown) =>
      log.warn({ err: messageOf(error) }, "result files not written, retrying"),
    );
    await clock.sleep(RESULTS_EVERY_MS, stop);
  }
}
