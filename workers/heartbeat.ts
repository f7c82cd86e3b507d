import { finishesWithin } from "#base/clock.ts";
import { messageOf } from "#base/log.ts";
import type { Payrun } from "#app/wiring.ts";
import type { Workers } from "#workers/workers.ts";

const HEARTBEAT_MS = 5_000;
const LEAVE_MS = 1_000;

interface Heartbeat {
  /** Reports the remaining work and removes the line of this process. */
  close(): Promise<void>;
}

/**
 * Reports to the ledger every few seconds that this process is alive and what it has done since,
 * for people on call. No other part waits for it or decides by it.
 *
 * @param workers the workers of this process; null: HTTP only.
 */
export function startHeartbeat(
  { deps, meter, jobCounts, presence }: Pick<Payrun, "deps" | "jobCounts" | "meter" | "presence">,
  workers: Pick<Workers, "lastSweepMs"> | null,
): Heartbeat {
  const { clock, log, slots } = deps;
  const closing = new AbortController();

  const beat = async (): Promise<boolean> => {
    const counted = meter.drain();
    const jobs = jobCounts.drain();
    const sweptMs = workers?.lastSweepMs() ?? null;
    try {
      await presence.beat({
        ...counted,
        jobs,
        works: workers !== null,
        inFlight: slots.inUse,
        sweptAgoMs: sweptMs === null ? null : clock.monotonicMs() - sweptMs,
      });
      return true;
    } catch (error) {
      meter.restore(counted);
      jobCounts.restore(jobs);
      log.debug({ err: messageOf(error) }, "failed to save throughput samples");
      return false;
    }
  };

  const beating = (async () => {
    while (!closing.signal.aborted) {
      await beat();
      await clock.sleep(HEARTBEAT_MS, closing.signal);
    }
  })();

  return {
    async close() {
      closing.abort();
      // Do not wait when the database is unreachable: the line then shows that this process is
      // gone.
      const leave = async () => {
        await beating;
        if (await beat()) await presence.leave().catch(() => {});
      };
      await finishesWithin(LEAVE_MS, leave(), clock);
    },
  };
}
