import { queryStatus } from "#flows/payout/status-query.ts";
import type { PayDeps } from "#flows/deps.ts";
import { runShare } from "#flows/payout/lane/lane-turns.ts";
import type { JobResult } from "#jobs/verdict.ts";

/**
 * Queries the status of every payout for which a frozen ledger has no attempt, because a lost part
 * of the ledger's history may have sent it (F25, F26). A payout that the gateway knows is followed
 * or put on hold; every other one is recorded as queried. After a crash the function continues with
 * the payouts that have no recorded answer, and several workers share the work. Payouts that the
 * ledger knows to be sent are covered by the status queries that are due anyway.
 */
export async function queryUnsent(deps: PayDeps): Promise<void> {
  const { ledger, leaseMs } = deps;
  let after = 0;
  const page = async (sizeMax: number) => {
    const taken = await ledger.integrity.claimUnsent({ after, sizeMax, leaseMs });
    after = taken.at(-1)?.payoutId ?? after;
    return taken;
  };
  let verdict: JobResult;
  do verdict = await runShare(page, (question) => queryStatus(question, deps), deps);
  while (verdict.kind === "again");
}
