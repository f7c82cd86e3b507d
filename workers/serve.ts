import { DelayedError, type Job, type Processor, Worker } from "bullmq";
import { Redis } from "ioredis";
import { endsWithin, systemClock } from "#clock.ts";
import type { JobContract } from "#jobs/job.ts";
import { backendsOver } from "#jobs/postgres-queue.ts";
import type { QueueEngine } from "#jobs/queue.ts";
import { PREFIX } from "#jobs/redis.ts";
import type { Verdict } from "#jobs/verdict.ts";
import type { Log } from "#log.ts";

/** A running consumer of one queue. */
export interface Served {
  /** Takes no new job and resolves when those under way have ended. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly engine: QueueEngine;
  /** Jobs of this queue at once in this process. How many requests they send at once is the slots' matter. */
  readonly concurrency: number;
  readonly log: Log;
}

/**
 * Runs a flow for each job of a queue: the only BullMQ consumer. A job that cannot be read is dropped, and one
 * whose flow breaks is removed: the sweep finds the work again in the ledger.
 */
export function serve<Payload>(
  contract: JobContract<Payload>,
  flow: (payload: Payload) => Promise<Verdict>,
  { engine, concurrency, log }: ServeOptions,
): Served {
  const underWay = new Set<Promise<Verdict>>();
  const run = (payload: Payload): Promise<Verdict> => {
    const running = flow(payload).finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  const process: Processor = async (job, token) => {
    const payload = contract.schema.safeParse(job.data);
    if (!payload.success) {
      log.warn({ queue: contract.queue, job: job.id }, "a job of another version was dropped");
      return;
    }
    await obey(await run(payload.data), job, token);
  };
  const settings = {
    concurrency,
    // A killed worker's job holds its id for this long, and the sweep cannot put the same work on the queue.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    // It is only a hint: start it again rather than count it as failed.
    maxStalledCount: 100,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };

  const redis =
    engine.kind === "redis" ? new Redis(engine.url, { maxRetriesPerRequest: null }) : null;
  const complain = (error: Error) =>
    log.warn({ queue: contract.queue, err: error.message }, "queue");
  redis?.on("error", complain);
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
            connection: redis as Redis,
            prefix: PREFIX,
          });
    worker.on("error", complain);
    worker.on("failed", (job, error) => {
      log.error({ queue: contract.queue, job: job?.id, err: error }, "job broke");
    });
    return worker;
  };

  let worker = open();
  const closing = new AbortController();
  // BullMQ tries to reach PostgreSQL once for each worker: only another one tries again (F24).
  const openUntilReady = async () => {
    while (!closing.signal.aborted) {
      const isReady = await worker.waitUntilReady().then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await worker.close().catch(complain);
      await systemClock.sleep(REOPEN_MS, closing.signal);
      if (!closing.signal.aborted) worker = open();
    }
  };
  if (!redis) void openUntilReady();

  return {
    async close() {
      closing.abort();
      // BullMQ would wait for a queue that is away, or that says nothing, until it is back. What runs is waited for all
      // the same.
      const isAway = redis !== null && redis.status !== "ready";
      const closed = worker.close(isAway).catch(complain);
      await Promise.allSettled(underWay);
      if (!(await endsWithin(CLOSE_MS, closed))) void worker.disconnect().catch(complain);
      redis?.disconnect();
    },
  };
}

const REOPEN_MS = 500;
/** For the goodbye to the queue. */
const CLOSE_MS = 2_000;

async function obey(verdict: Verdict, job: Job, token: string | undefined): Promise<void> {
  if (verdict.kind === "done") return;
  // Through the delayed set it comes back behind the jobs that wait already.
  await job.moveToDelayed(systemClock.nowMs() + verdict.delayMs, token);
  throw new DelayedError();
}
