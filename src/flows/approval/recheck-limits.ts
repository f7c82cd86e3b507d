import { sayBreach, sayRemedy } from "#approval/payout-limits.ts";
import { askWhereItCounts, type BalanceDeps } from "#flows/approval/query-balance.ts";
import { findBreaches, uncoveredBy } from "#ledger/approval/limit-use.ts";

/**
 * Checks an approved batch against the current payout limits and balances, and returns what
 * prevents it from being sent. The additional approvers that a soft limit requires gave their
 * approval before.
 */
export async function limitsAgain(batchId: string, deps: BalanceDeps): Promise<string[]> {
  const { database, clock } = deps;
  await askWhereItCounts(batchId, deps);
  const at = new Date(clock.nowMs());
  const breaches = await findBreaches(database, batchId, at);
  const hard = breaches.filter(({ limit }) => limit.hard);
  return [
    ...hard.map((breach) => `${sayBreach(breach)} ${sayRemedy(breach)}`),
    ...(await uncoveredBy(database, batchId, at)),
  ];
}
