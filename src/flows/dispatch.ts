import { rankOf } from "#batch/priority.ts";
import { watchLanes } from "#flows/brakes.ts";
import { watchCanaries } from "#flows/canaries.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { WorkingBatch } from "#ledger/ledger.ts";
import {
  resolveJob,
  type ResolvePayload,
  roundAt,
  SHARE,
  submitJob,
  type SubmitPayload,
} from "#jobs/submit.ts";

/**
 * Jobs of one kind that a batch and lane may have waiting at once. Bounded, whatever the size of the batch: a
 * million rows take a few kilobytes of Redis, and a small batch waits behind a few shares, not behind the large one.
 */
const WINDOW = 8;

/** Each call of the queue costs a few milliseconds, and thousands of small batches may be at work at once. */
const BATCHES_AT_ONCE = 50;

/** Jobs that are to be put on the queue. */
interface Jobs {
  readonly resolve: ResolvePayload[];
  readonly submit: SubmitPayload[];
}

/**
 * The sweep: looks into the ledger for work that no job may be doing and puts jobs on the queue for it. The same
 * path serves the first run and every recovery; flush Redis and it fills again. Every statement of it may run twice
 * at once. What breaks for one batch does not keep the others waiting.
 */
export async function dispatch(deps: PayDeps): Promise<void> {
  const broken: unknown[] = [];
  await watchCanaries(deps).catch((error: unknown) => broken.push(error));
  const working = await deps.ledger.workingBatches();
  for (let at = 0; at < working.length; at += BATCHES_AT_ONCE) {
    const jobs: Jobs = { resolve: [], submit: [] };
    for (const batch of working.slice(at, at + BATCHES_AT_ONCE)) {
      await dispatchBatch(batch, jobs, deps).catch((error: unknown) => broken.push(error));
    }
    await add(jobs, deps).catch((error: unknown) => broken.push(error));
  }
  const sending = working.filter(({ paused }) => !paused);
  await watchLanes(new Set(sending.flatMap(({ lanes }) => lanes)), deps);
  if (broken.length > 0) throw broken[0];
}

async function add({ resolve, submit }: Jobs, { hints }: PayDeps): Promise<void> {
  // Questions first: what is in doubt matters more than what has not begun.
  if (resolve.length > 0) await hints.add(resolveJob, resolve);
  if (submit.length > 0) await hints.add(submitJob, submit);
}

async function dispatchBatch(batch: WorkingBatch, jobs: Jobs, deps: PayDeps): Promise<void> {
  // Thousands of small batches may wait for the gateway at once, and each would cost several statements with each sweep.
  if (batch.isAtRest) return;
  if (batch.isDue) await deps.ledger.expireLeases(batch.id);
  if (batch.isRemainder) await deps.ledger.holdOvertaken(batch.id);
  if (batch.cancelling) await deps.ledger.cancelDeferred(batch.id);
  let open = false;
  for (const lane of batch.lanes) open = (await dispatchLane(batch, lane, jobs, deps)) || open;
  if (!open) await finish(batch.id, deps);
}

/** Finds what is to be done in this lane. Returns whether the batch still has open payouts there. */
async function dispatchLane(
  { id: batchId, paused, priority }: WorkingBatch,
  lane: string,
  jobs: Jobs,
  { ledger, clock }: PayDeps,
): Promise<boolean> {
  const { toSend, toAsk, open } = await ledger.dueWork(batchId, lane, WINDOW * SHARE);
  const round = roundAt(clock.nowMs());
  const sharesOf = (due: number) =>
    Array.from({ length: Math.min(Math.ceil(due / SHARE), WINDOW) }, (_, slot) => ({
      v: 1 as const,
      batchId,
      lane,
      slot,
      round,
    }));
  jobs.resolve.push(...sharesOf(toAsk));
  const rank = rankOf(priority);
  if (!paused) jobs.submit.push(...sharesOf(toSend).map((job) => ({ ...job, rank })));
  return open;
}

async function finish(batchId: string, { ledger, log }: PayDeps): Promise<void> {
  const state = await ledger.finishBatch(batchId);
  if (state) log.info({ batch: batchId, state }, "batch ended");
}
