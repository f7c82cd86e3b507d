import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/lane.ts";
import { send, stampOf } from "#flows/send.ts";
import { workThrough } from "#flows/share.ts";
import { isStale, type SubmitPayload } from "#jobs/submit.ts";
import { ceilingOf } from "#payout/brake-settings.ts";
import { again, done, type Verdict } from "#jobs/verdict.ts";

/** So many of the jobs of a batch come again for the next turn of their lane; two, so that one may be lost with its worker. */
const WAITING_MAX = 2;

/** Sends due payouts of one batch and lane. Safe to run twice at once: a claim is a compare-and-set. */
export async function submit(job: Omit<SubmitPayload, "v">, deps: PayDeps): Promise<Verdict> {
  const { ledger, clock, worker, leaseMs } = deps;
  const { batchId, lane } = job;
  if (isStale(job, clock.nowMs())) return done;

  const merchant = merchantOf(lane, deps);
  if (!merchant) {
    // Whoever can write to the queue writes any lane into a job: only the ledger says which lanes there are.
    const batch = await ledger.findBatch({ id: batchId });
    const isKnown = batch?.lanes.some((each) => each.lane === lane) === true;
    if (isKnown) await stopWithoutMerchant(lane, deps);
    return done;
  }
  const verdict = await workThrough(
    async (sizeMax) => {
      const claimed = stampOf(deps);
      const ceiling = ceilingOf(deps.brakesOf(lane));
      const claim = { batchId, lane, sizeMax, worker, leaseMs, keyId: merchant.keyId, ceiling };
      const attempts = await ledger.openAttempts(claim);
      return attempts.map((attempt) => ({ attempt, claimed }));
    },
    ({ attempt, claimed }) => send(attempt, claimed, deps),
    deps,
    job.rank,
  );
  if (verdict.kind === "again" || job.slot >= WAITING_MAX || deps.stopping.aborted) return verdict;
  const waitMs = await ledger.nextTurn(batchId, lane);
  return waitMs === null ? done : again(waitMs);
}
