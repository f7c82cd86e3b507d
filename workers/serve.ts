import { DelayedError, type Job, type Processor, Worker } from "bullmq";
import { finishesWithin, systemClock } from "#base/clock.ts";
import type { JobContract } from "#jobs/job.ts";
import { backendsOver } from "#jobs/postgres-queue.ts";
import type { QueueEngine } from "#jobs/queue.ts";
import type { JobCounts } from "#jobs/job-counts.ts";
import { prefixOf } from "#jobs/redis.ts";
import { addressOf, connectRedis, type RedisClient } from "#jobs/redis-client.ts";
import type { JobResult } from "#jobs/verdict.ts";
import type { Log } from "#base/log.ts";
import { DURATIONS } from "#base/telemetry/histograms.ts";
import { withSpan } from "#base/telemetry/spans.ts";

/** A running consumer of one queue. */
export interface QueueConsumer {
  /** Stops taking jobs and resolves when the running ones have ended. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly engine: QueueEngine;
  /**
   * Maximum number of concurrent jobs of this queue in this process. Request slots limit how many
   * requests they send at once.
   */
  readonly concurrency: number;
  readonly log: Log;
  /** Counts the jobs that end. */
  readonly jobCounts?: JobCounts | undefined;
}

/** Settings of each BullMQ worker. */
const WORKER_SETTINGS = {
  // Lease duration in milliseconds. The job of a killed worker keeps its id for this long, and the
  // sweep cannot add the same work again.
  lockDuration: 10_000,
  stalledInterval: 5_000,
  // Restart a stalled job instead of failing it. A job is only a hint; the ledger holds the work.
  maxStalledCount: 100,
  // Pause in milliseconds after a lost connection. BullMQ's default, 15 seconds, would delay every
  // failover of Redis by as much.
  runRetryDelay: 500,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/** Interval in milliseconds between two attempts to open a worker. */
const REOPEN_MS = 500;
/** Maximum time in milliseconds to disconnect from the queue. */
const CLOSE_MS = 2_000;

/**
 * Runs a flow for each job of a queue: the only BullMQ consumer. It drops a job that cannot be read
 * and removes one whose flow throws; the sweep finds the work again in the ledger.
 */
export function serve<Payload>(
  contract: JobContract<Payload>,
  flow: (payload: Payload) => Promise<JobResult>,
  { engine, concurrency, log, jobCounts }: ServeOptions,
): QueueConsumer {
  const underWay = new Set<Promise<JobResult>>();
  const process = processorOf(contract, log, (payload) => {
    const running = flow(payload).finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  });
  const complain = (error: Error) =>
    log.warn({ queue: contract.queue, err: error.message }, "queue");

  const redis =
    engine.kind === "redis" ? connectRedis(engine.url, { maxRetriesPerRequest: null }) : null;
  redis?.on("error", complain);
  const settings = { ...WORKER_SETTINGS, concurrency };
  const open = (): Worker => {
    const worker =
      engine.kind === "postgres"
        ? (new Worker(
            contract.queue,
            process,
            { ...settings, connection: {} },
            backendsOver(engine),
          ) as unknown as Worker)
        : new Worker(contract.queue, process, {
            ...settings,
            connection: redis as RedisClient,
            prefix: prefixOf(contract.queue, addressOf(engine.url)),
          });
    worker.on("error", complain);
    worker.on("completed", () => jobCounts?.count(contract.queue, "finished"));
    worker.on("failed", (job, error) => {
      jobCounts?.count(contract.queue, "failed");
      log.error(
        { queue: contract.queue, job: job?.id, err: error },
        "job failed; the sweep will find its work again",
      );
    });
    return worker;
  };

  const closing = new AbortController();
  const current = reopened(open, complain, closing.signal);
  return {
    async close() {
      closing.abort();
      // BullMQ would wait until an unreachable or silent queue is back. Running jobs are awaited in
      // any case.
      const { worker } = current;
      const isAway = redis !== null && redis.status !== "ready";
      const closed = worker.close(isAway).catch(complain);
      await Promise.allSettled(underWay);
      if (!(await finishesWithin(CLOSE_MS, closed))) void worker.disconnect().catch(complain);
      redis?.disconnect();
    },
  };
}

/** Returns the function that BullMQ calls for each job of the queue. */
function processorOf<Payload>(
  contract: JobContract<Payload>,
  log: Log,
  run: (payload: Payload) => Promise<JobResult>,
): Processor {
  return async (job, token) => {
    const payload = contract.schema.safeParse(job.data);
    if (!payload.success) {
      log.warn(
        { queue: contract.queue, job: job.id },
        "dropped an unreadable job; the sweep will find its work again",
      );
      return;
    }
    await applyResult(await observed(contract, payload.data, run), job, token);
  };
}

/** Runs the flow as a span that links to the batch or payout, and counts its duration. */
async function observed<Payload>(
  { queue, subjectOf }: JobContract<Payload>,
  payload: Payload,
  run: (payload: Payload) => Promise<JobResult>,
): Promise<JobResult> {
  const startedMs = systemClock.monotonicMs();
  let result = "failed";
  try {
    const links = subjectOf ? [subjectOf(payload)] : [];
    const facts = {
      "messaging.system": "bullmq",
      "messaging.operation.type": "process",
      "messaging.destination.name": queue,
    };
    const options = { name: `process ${queue}`, kind: "consumer", links, facts } as const;
    const verdict = await withSpan(options, () => run(payload));
    result = verdict.kind;
    return verdict;
  } finally {
    DURATIONS.job.record((systemClock.monotonicMs() - startedMs) / 1_000, queue, result);
  }
}

async function applyResult(verdict: JobResult, job: Job, token: string | undefined): Promise<void> {
  if (verdict.kind === "done") return;
  // The delayed set returns the job behind the jobs that already wait.
  await job.moveToDelayed(systemClock.nowMs() + verdict.delayMs, token);
  throw new DelayedError();
}

/**
 * Opens a worker and replaces it until one is connected: BullMQ opens a worker once, so only a new
 * worker tries again (F14, F24).
 *
 * @returns the current worker.
 */
function reopened(
  open: () => Worker,
  complain: (error: Error) => void,
  closing: AbortSignal,
): { readonly worker: Worker } {
  const current = { worker: open() };
  const openUntilReady = async () => {
    while (!closing.aborted) {
      const isReady = await current.worker.waitUntilReady().then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await current.worker.close().catch(complain);
      await systemClock.sleep(REOPEN_MS, closing);
      if (!closing.aborted) current.worker = open();
    }
  };
  void openUntilReady();
  return current;
}
