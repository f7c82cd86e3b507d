import { rankOf } from "#payout/priority.ts";
import { checkLanes } from "#flows/payout/lane/circuit-breakers.ts";
import { checkCanaries } from "#flows/payout/lane/canaries.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { WorkingBatch } from "#ledger/ledger.ts";
import {
  resolveJob,
  type ResolvePayload,
  roundAt,
  JOB_PAYOUTS_MAX,
  submitJob,
  type SubmitPayload,
} from "#jobs/submit.ts";

/**
 * Maximum number of waiting jobs of one kind per batch and lane. The limit does not depend on the
 * size of the batch: a million rows take a few kilobytes of Redis, and a small batch waits for a
 * few shares of a large one, not for the whole batch.
 */
const JOBS_WAITING_MAX = 8;

/**
 * Jobs are added for this many batches at a time: each call of the queue costs a few milliseconds,
 * and thousands of small batches may be in progress.
 */
const BATCHES_AT_ONCE = 50;

/** Jobs to be put on the queue. */
interface Jobs {
  readonly resolve: ResolvePayload[];
  readonly submit: SubmitPayload[];
}

/**
 * Runs the sweep: searches the ledger for work that may have no job, and puts jobs on the queue for
 * it. The same path serves the first run and every recovery: after Redis is flushed, the sweep
 * fills it again. Every statement may run concurrently. An error in one batch does not delay the
 * others.
 */
export async function dispatch(deps: PayDeps): Promise<void> {
  const broken: unknown[] = [];
  await checkCanaries(deps).catch((error: unknown) => broken.push(error));
  const working = await deps.ledger.payout.workingBatches();
  for (let at = 0; at < working.length; at += BATCHES_AT_ONCE) {
    const jobs: Jobs = { resolve: [], submit: [] };
    for (const batch of working.slice(at, at + BATCHES_AT_ONCE)) {
      await dispatchBatch(batch, jobs, deps).catch((error: unknown) => broken.push(error));
    }
    await add(jobs, deps).catch((error: unknown) => broken.push(error));
  }
  const sending = working.filter(({ paused }) => !paused);
  await checkLanes(new Set(sending.flatMap(({ lanes }) => lanes)), deps);
  if (broken.length > 0) throw broken[0];
}

async function add({ resolve, submit }: Jobs, { hints }: PayDeps): Promise<void> {
  // Status queries first: payouts in doubt matter more than payouts that have not been sent. In a
  // cluster the primary of one queue may be away while that of the other one works.
  const queried = resolve.length > 0 ? hints.add(resolveJob, resolve) : Promise.resolve();
  const [asked] = await Promise.allSettled([queried]);
  if (submit.length > 0) await hints.add(submitJob, submit);
  if (asked.status === "rejected") throw asked.reason;
}

async function dispatchBatch(batch: WorkingBatch, jobs: Jobs, deps: PayDeps): Promise<void> {
  // Thousands of small batches may be waiting for the gateway, and each would cost several
  // statements per sweep.
  if (batch.isAtRest) return;
  if (batch.isDue) await deps.ledger.payout.expireLeases(batch.id);
  if (batch.isRemainder) await deps.ledger.payout.holdInvalidRetries(batch.id);
  if (batch.cancelling) await deps.ledger.payout.cancelDeferred(batch.id);
  let open = false;
  for (const lane of batch.lanes) open = (await dispatchLane(batch, lane, jobs, deps)) || open;
  if (!open) await finish(batch.id, deps);
}

/**
 * Finds the due work of this lane. Returns whether the batch still has payouts in progress there.
 */
async function dispatchLane(
  { id: batchId, paused, priority }: WorkingBatch,
  lane: string,
  jobs: Jobs,
  { ledger, clock }: PayDeps,
): Promise<boolean> {
  const { toSend, toQuery, open } = await ledger.payout.dueWork(
    batchId,
    lane,
    JOBS_WAITING_MAX * JOB_PAYOUTS_MAX,
  );
  const round = roundAt(clock.nowMs());
  const sharesOf = (due: number) =>
    Array.from(
      { length: Math.min(Math.ceil(due / JOB_PAYOUTS_MAX), JOBS_WAITING_MAX) },
      (_, slot) => ({
        v: 1 as const,
        batchId,
        lane,
        slot,
        round,
      }),
    );
  jobs.resolve.push(...sharesOf(toQuery));
  const rank = rankOf(priority);
  if (!paused) jobs.submit.push(...sharesOf(toSend).map((job) => ({ ...job, rank })));
  return open;
}

async function finish(batchId: string, { ledger, log }: PayDeps): Promise<void> {
  const state = await ledger.payout.finishBatch(batchId);
  if (state) log.info({ batch: batchId, state }, "batch finished");
}
