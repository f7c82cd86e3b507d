import { endsWithin } from "#clock.ts";
import { wordsOf } from "#log.ts";
import type { Payrun } from "#wiring.ts";
import type { Workers } from "#workers/workers.ts";

const BEAT_MS = 5_000;
const LEAVE_MS = 1_000;

interface Pulse {
  /** Tells what is left and takes the process's line away. */
  close(): Promise<void>;
}

/**
 * Tells the ledger every few seconds that this process is there and what it has done since: what people on call look
 * at. Nothing waits for it, and nothing is decided by it.
 *
 * @param workers what works in this process; null: HTTP alone.
 */
export function startPulse(
  { deps, meter, presence }: Pick<Payrun, "deps" | "meter" | "presence">,
  workers: Pick<Workers, "lastSweepMs"> | null,
): Pulse {
  const { clock, log, slots } = deps;
  const closing = new AbortController();

  const beat = async (): Promise<boolean> => {
    const counted = meter.take();
    const sweptMs = workers?.lastSweepMs() ?? null;
    try {
      await presence.beat({
        ...counted,
        works: workers !== null,
        inFlight: slots.inUse,
        sweptAgoMs: sweptMs === null ? null : clock.monotonicMs() - sweptMs,
      });
      return true;
    } catch (error) {
      meter.giveBack(counted);
      log.debug({ err: wordsOf(error) }, "pulse not kept");
      return false;
    }
  };

  const beating = (async () => {
    while (!closing.signal.aborted) {
      await beat();
      await clock.sleep(BEAT_MS, closing.signal);
    }
  })();

  return {
    async close() {
      closing.abort();
      // Without the database nobody waits for it: the line will tell of a process that is gone.
      const leave = async () => {
        await beating;
        if (await beat()) await presence.leave().catch(() => {});
      };
      await endsWithin(LEAVE_MS, leave(), clock);
    },
  };
}
