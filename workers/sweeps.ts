import { queryWaitingBalances } from "#flows/approval/query-balance.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { dispatchDeposits } from "#flows/deposit/follow.ts";
import type { PayDeps } from "#flows/deps.ts";
import { checkRepeatedCodes } from "#flows/payout/check-repeated.ts";
import { dispatch } from "#flows/payout/dispatch.ts";
import { queryUnsent } from "#flows/payout/query-unsent.ts";
import { type Log, messageOf } from "#base/log.ts";

/** Interval in milliseconds between two sweeps of the ledger for work without a job. */
const SWEEP_MS = 500;
/**
 * One process sweeps at a time: the first to take the lock. A process that has not had its turn for
 * this long sweeps anyway, because the holder of the lock may be frozen. A second sweep does no
 * harm.
 */
const SWEEP_LOCK_MS = 20_000;

export interface Sweeps {
  /** When the last sweep succeeded, in monotonic milliseconds. Null: none has yet. */
  lastMs(): number | null;
  /** Resolves when the sweep in progress and the tasks that it started have ended. */
  ended(): Promise<void>;
}

/**
 * Sweeps the ledger at a fixed interval until `stop`: watches for a freeze, starts the queries and
 * rechecks that run in the background, and adds a job for work that has none.
 */
export function startSweeps({
  deps,
  deposits,
  stop,
}: {
  readonly deps: PayDeps;
  readonly deposits: DepositDeps | undefined;
  readonly stop: AbortSignal;
}): Sweeps {
  const { clock, ledger, log } = deps;
  const freezeNow = freezeWatch(deps);
  const queries = backgroundTask(log, {
    run: () => queryUnsent(deps),
    failure: "status queries of the frozen ledger failed, retrying",
  });
  const rechecks = backgroundTask(log, {
    run: () => checkRepeatedCodes(deps),
    failure: "recheck of final payouts failed, retrying",
  });
  const addJobs = async () => {
    await dispatch(deps);
    if (deposits) await dispatchDeposits(deposits);
    if (deposits) await queryWaitingBalances(deposits);
    return true;
  };

  const startedMs = clock.monotonicMs();
  let lastMs: number | null = null;
  const sweep = async () => {
    if ((await freezeNow())?.since) queries.start();
    rechecks.start();
    const isImpatient = clock.monotonicMs() - (lastMs ?? startedMs) > SWEEP_LOCK_MS;
    if (isImpatient ? await addJobs() : await ledger.withLock("sweep", addJobs)) {
      lastMs = clock.monotonicMs();
    }
  };
  const sweeping = (async () => {
    while (!stop.aborted) {
      try {
        await sweep();
      } catch (error) {
        // The database or queue is away. No work is lost: the next sweep looks again.
        log.warn({ err: messageOf(error) }, "sweep failed, retrying");
      }
      await clock.sleep(SWEEP_MS, stop);
    }
  })();

  return {
    lastMs: () => lastMs,
    async ended() {
      await sweeping;
      await Promise.all([queries.ended(), rechecks.ended()]);
    },
  };
}

/** Returns a function that reads the freeze of the ledger and logs when it begins or ends. */
function freezeWatch({ ledger, log }: PayDeps) {
  let reasonTold: string | null = null;
  return async () => {
    const freeze = await ledger.integrity.verify();
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
}

/** A task of which one run at a time is in progress. A failed run is logged. */
function backgroundTask(
  log: Log,
  { run, failure }: { readonly run: () => Promise<void>; readonly failure: string },
) {
  let running: Promise<void> | null = null;
  return {
    /** Starts a run unless one is in progress. */
    start() {
      running ??= run()
        .catch((error: unknown) => log.warn({ err: messageOf(error) }, failure))
        .finally(() => {
          running = null;
        });
    },
    /** Resolves when the run in progress has ended. */
    ended: async () => running,
  };
}
