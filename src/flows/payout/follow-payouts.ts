import { ask } from "#flows/payout/query-status.ts";
import type { PayDeps } from "#flows/deps.ts";
import { workThrough } from "#flows/payout/lane/lane-turns.ts";
import { QUESTION } from "#flows/request-slots.ts";
import { isStale, type ResolvePayload } from "#jobs/submit.ts";
import { done, type Verdict } from "#jobs/verdict.ts";

/**
 * Queries the status of payouts of one batch and lane that are accepted or in doubt and due for a
 * query.
 */
export async function resolve(
  job: Pick<ResolvePayload, "batchId" | "lane" | "round">,
  deps: PayDeps,
): Promise<Verdict> {
  const { ledger, clock, leaseMs } = deps;
  const { batchId, lane } = job;
  if (isStale(job, clock.nowMs())) return done;
  return workThrough(
    (sizeMax) => ledger.payout.takeQuestions({ batchId, lane, sizeMax, leaseMs }),
    (question) => ask(question, deps),
    deps,
    QUESTION,
  );
}
