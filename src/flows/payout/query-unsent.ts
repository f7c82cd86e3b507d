import { ask } from "#flows/payout/query-status.ts";
import type { PayDeps } from "#flows/deps.ts";
import { workThrough } from "#flows/payout/lane/lane-turns.ts";
import type { Verdict } from "#jobs/verdict.ts";

/**
 * Queries the status of every payout for which a frozen ledger has no attempt, because a lost part
 * of the ledger's history may have sent it (F25, F26). A payout that the gateway knows is followed
 * or put on hold; every other one is recorded as queried. After a crash the function continues with
 * the payouts that have no recorded answer, and several workers share the work. Payouts that the
 * ledger knows to be sent are covered by the status queries that are due anyway.
 */
export async function askUnsent(deps: PayDeps): Promise<void> {
  const { ledger, leaseMs } = deps;
  let after = 0;
  const page = async (sizeMax: number) => {
    const taken = await ledger.integrity.takeUnasked({ after, sizeMax, leaseMs });
    after = taken.at(-1)?.payoutId ?? after;
    return taken;
  };
  let verdict: Verdict;
  do verdict = await workThrough(page, (question) => ask(question, deps), deps);
  while (verdict.kind === "again");
}
