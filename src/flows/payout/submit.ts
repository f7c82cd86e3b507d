import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/payout/lane/lane-merchant.ts";
import { sendPayout, claimTimeNow } from "#flows/payout/send.ts";
import { runShare } from "#flows/payout/lane/lane-turns.ts";
import { isStale, type SubmitPayload } from "#jobs/submit.ts";
import { inDoubtLimitOf } from "#payout/lane/circuit-breaker-settings.ts";
import { runAgain, done, type JobResult } from "#jobs/verdict.ts";

/**
 * Number of a batch's jobs that are queued again for the next turn of their lane. Two, so that one
 * may be lost with its worker.
 */
const WAITING_MAX = 2;

/** Milliseconds after which a starting lane is checked again. */
const START_POLL_MS = 50;

/**
 * Sends due payouts of one batch and lane. Safe to run concurrently: a claim is a compare-and-set.
 */
export async function submitDue(job: Omit<SubmitPayload, "v">, deps: PayDeps): Promise<JobResult> {
  const { ledger, clock, worker, leaseMs, laneStart } = deps;
  const { batchId, lane } = job;
  if (isStale(job, clock.nowMs())) return done;

  const merchant = merchantOf(lane, deps);
  if (!merchant) {
    // A process that can write to the queue can write any lane into a job. Only the ledger knows
    // which lanes exist.
    const batch = await ledger.payout.findBatch({ id: batchId });
    const isKnown = batch?.lanes.some((each) => each.lane === lane) === true;
    if (isKnown) await stopWithoutMerchant(lane, deps);
    return done;
  }
  let hasNoRoom = false;
  const verdict = await runShare(
    async (free) => {
      const sizeMax = Math.min(free, laneStart.freeCount(lane));
      hasNoRoom = sizeMax === 0;
      if (hasNoRoom) return [];
      laneStart.add(lane, sizeMax);
      const claimed = claimTimeNow(deps);
      const inDoubtLimit = inDoubtLimitOf(deps.thresholdsOf(lane));
      const claim = {
        batchId,
        lane,
        sizeMax,
        worker,
        leaseMs,
        keyId: merchant.keyId,
        inDoubtLimit,
      };
      let taken = 0;
      try {
        const attempts = await ledger.payout.openAttempts(claim);
        taken = attempts.length;
        return attempts.map((attempt) => ({ attempt, claimed }));
      } finally {
        laneStart.add(lane, taken - sizeMax);
      }
    },
    ({ attempt, claimed }) =>
      sendPayout(attempt, claimed, deps, batchId).finally(() => laneStart.add(lane, -1)),
    deps,
    job.rank,
  );
  // The requests in flight have been answered by now, here or in another job.
  if (hasNoRoom && !deps.stopping.aborted) {
    return runAgain(laneStart.freeCount(lane) > 0 ? 0 : START_POLL_MS);
  }
  if (verdict.kind === "again" || job.slot >= WAITING_MAX || deps.stopping.aborted) return verdict;
  const waitMs = await ledger.payout.nextTurn(batchId, lane);
  return waitMs === null ? done : runAgain(waitMs);
}
