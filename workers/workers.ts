import { followCallback } from "#flows/payout/callback.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { followDeposit } from "#flows/deposit/follow.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { callbackJob } from "#jobs/callback.ts";
import { depositJob } from "#jobs/deposit.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";
import { tickJob } from "#jobs/tick.ts";
import { done } from "#jobs/verdict.ts";
import type { Payrun } from "#app/wiring.ts";
import { finishesWithin } from "#base/clock.ts";
import { serve } from "#workers/serve.ts";
import { startSweeps } from "#workers/sweeps.ts";
import { startTicker, type TickJob } from "#app/ticker.ts";

/**
 * Concurrent jobs per queue. This is more than one batch may have in a lane (the window of
 * dispatch), so a small batch shares the request slots from the start instead of waiting for whole
 * shares of a large one.
 */
const JOBS_AT_ONCE = 16;

/** A tick that rechecks a large batch does not delay the next one. */
const TICKS_AT_ONCE = 3;

/**
 * Time in milliseconds after which shutdown stops waiting for a silent database or queue, once no
 * request is in flight. A claim that is answered later is too old to be sent.
 */
const CLOSE_MS = 6_000;

interface WorkerParts
  extends Pick<Payrun, "deps" | "engine" | "stop">,
    Partial<Pick<Payrun, "jobCounts">> {
  /** Without it deposits are not processed. */
  readonly deposits?: DepositDeps;
  /** Without it nothing comes due on its own. */
  readonly ticks?: TickJob;
}

export interface Workers {
  /**
   * When the last sweep succeeded, in monotonic milliseconds. Null: none has yet. For the health
   * check.
   */
  lastSweepMs(): number | null;
  /** Stops claiming, records the results of requests in flight, then resolves. */
  close(): Promise<void>;
}

/**
 * Starts this process's share of the work: the queues, the sweep and the ticker.
 *
 * @param consume runs a flow for each job of a queue.
 */
export function startWorkers(
  { deps, deposits, ticks, engine, stop, jobCounts }: WorkerParts,
  consume: typeof serve = serve,
): Workers {
  const { clock, log } = deps;
  const options = { engine, concurrency: JOBS_AT_ONCE, log, jobCounts };
  const ticker = ticks && startTicker(ticks, { clock, log, stop: stop.signal });
  const served = [
    consume(submitJob, (payload) => submitDue(payload, deps), options),
    consume(resolveJob, (payload) => followDue(payload, deps), options),
    consume(callbackJob, (payload) => followCallback(payload, deps), options),
    ...(deposits
      ? [consume(depositJob, (payload) => followDeposit(payload, deposits), options)]
      : []),
    ...(ticker
      ? [
          consume(tickJob, () => ticker.tick().then(() => done), {
            ...options,
            concurrency: TICKS_AT_ONCE,
          }),
        ]
      : []),
  ];

  const sweeps = startSweeps({ deps, deposits, stop: stop.signal });

  return {
    lastSweepMs: sweeps.lastMs,
    async close() {
      stop.abort();
      const closing = [sweeps.ended(), ...served.map((each) => each.close())];
      if (ticker) closing.push(ticker.close());
      const closed = Promise.allSettled(closing);
      while (!(await finishesWithin(CLOSE_MS, closed, clock))) {
        if (deps.slots.isInFlight) continue;
        // The ledger finds their unfinished work again.
        return log.warn(
          "stopped without a response from the database or the queue; the ledger keeps the unfinished work",
        );
      }
    },
  };
}
