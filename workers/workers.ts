import { askUnsent } from "#flows/payout/query-unsent.ts";
import { watchBalances } from "#flows/approval/query-balance.ts";
import { followCallback } from "#flows/payout/callback.ts";
import { checkRepeated } from "#flows/payout/check-repeated.ts";
import { dispatch } from "#flows/payout/dispatch.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { dispatchDeposits, followDeposit } from "#flows/deposit/follow.ts";
import { resolve } from "#flows/payout/follow-payouts.ts";
import { submit } from "#flows/payout/submit.ts";
import { callbackJob } from "#jobs/callback.ts";
import { depositJob } from "#jobs/deposit.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";
import { tickJob } from "#jobs/tick.ts";
import { done } from "#jobs/verdict.ts";
import { wordsOf } from "#base/log.ts";
import type { Payrun } from "#app/wiring.ts";
import { endsWithin } from "#base/clock.ts";
import { serve } from "#workers/serve.ts";
import { startTicker, type Ticks } from "#app/ticker.ts";

/** Interval in milliseconds between two sweeps of the ledger for work without a job. */
const SWEEP_MS = 500;
/**
 * One process sweeps at a time: the first to take the lock. A process that has not had its turn for
 * this long sweeps anyway, because the holder of the lock may be frozen. A second sweep does no
 * harm.
 */
const SWEEP_ALONE_MS = 20_000;
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

interface Parts extends Pick<Payrun, "deps" | "engine" | "stop"> {
  /** Without it deposits are not processed. */
  readonly deposits?: DepositDeps;
  /** Without it nothing comes due on its own. */
  readonly ticks?: Ticks;
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
  { deps, deposits, ticks, engine, stop }: Parts,
  consume: typeof serve = serve,
): Workers {
  const { clock, log } = deps;
  const options = { engine, concurrency: JOBS_AT_ONCE, log };
  const ticker = ticks && startTicker(ticks, { clock, log, stop: stop.signal });
  const served = [
    consume(submitJob, (payload) => submit(payload, deps), options),
    consume(resolveJob, (payload) => resolve(payload, deps), options),
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

  let reasonTold: string | null = null;
  const watch = async () => {
    const freeze = await deps.ledger.verify();
    const reason = freeze?.reason ?? null;
    if (reason !== reasonTold) {
      if (freeze)
        log.error(
          { reason, epoch: freeze.epoch },
          "the ledger is frozen: payouts are not being sent",
        );
      else log.warn("the ledger is no longer frozen");
    }
    reasonTold = reason;
    return freeze;
  };

  const startedMs = clock.monotonicMs();
  let lastSweepMs: number | null = null;
  let asking: Promise<void> | null = null;
  let checking: Promise<void> | null = null;
  const sweeping = (async () => {
    while (!stop.signal.aborted) {
      try {
        if ((await watch())?.since) {
          asking ??= askUnsent(deps)
            .catch((error: unknown) =>
              log.warn(
                { err: wordsOf(error) },
                "status queries of the frozen ledger failed, retrying",
              ),
            )
            .finally(() => {
              asking = null;
            });
        }
        checking ??= checkRepeated(deps)
          .catch((error: unknown) =>
            log.warn({ err: wordsOf(error) }, "recheck of final payouts failed, retrying"),
          )
          .finally(() => {
            checking = null;
          });
        const isImpatient = clock.monotonicMs() - (lastSweepMs ?? startedMs) > SWEEP_ALONE_MS;
        const sweep = async () => {
          await dispatch(deps);
          if (deposits) await dispatchDeposits(deposits);
          if (deposits) await watchBalances(deposits);
          return true;
        };
        if (isImpatient ? await sweep() : await deps.ledger.alone("sweep", sweep)) {
          lastSweepMs = clock.monotonicMs();
        }
      } catch (error) {
        // The database or queue is away. No work is lost: the next sweep looks again.
        log.warn({ err: wordsOf(error) }, "sweep failed, retrying");
      }
      await clock.sleep(SWEEP_MS, stop.signal);
    }
  })();

  return {
    lastSweepMs: () => lastSweepMs,
    async close() {
      stop.abort();
      const closing = [sweeping, ...served.map((each) => each.close())];
      if (asking) closing.push(asking);
      if (checking) closing.push(checking);
      if (ticker) closing.push(ticker.close());
      const closed = Promise.allSettled(closing);
      while (!(await endsWithin(CLOSE_MS, closed, clock))) {
        if (deps.slots.isOnWire) continue;
        // The ledger finds their unfinished work again.
        return log.warn(
          "stopped without a response from the database or the queue; the ledger keeps the unfinished work",
        );
      }
    },
  };
}
