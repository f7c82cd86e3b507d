import { queryStatus } from "#flows/payout/status-query.ts";
import type { PayDeps } from "#flows/deps.ts";
import { runShare } from "#flows/payout/lane/lane-turns.ts";
import { STATUS_QUERY_RANK } from "#flows/request-slots.ts";
import { isStale, type ResolvePayload } from "#jobs/submit.ts";
import { done, type JobResult } from "#jobs/verdict.ts";

/**
 * Queries the status of payouts of one batch and lane that are accepted or in doubt and due for a
 * query.
 */
export async function followDue(
  job: Pick<ResolvePayload, "batchId" | "lane" | "round">,
  deps: PayDeps,
): Promise<JobResult> {
  const { ledger, clock, leaseMs } = deps;
  const { batchId, lane } = job;
  if (isStale(job, clock.nowMs())) return done;
  return runShare(
    (sizeMax) => ledger.payout.claimStatusQueries({ batchId, lane, sizeMax, leaseMs }),
    (question) => queryStatus(question, deps),
    deps,
    STATUS_QUERY_RANK,
  );
}
