import { describeLimitBreach, describeLimitRemedy } from "#approval/payout-limits.ts";
import { queryBalancesThatCount, type BalanceDeps } from "#flows/approval/query-balance.ts";

/**
 * Checks an approved batch against the current payout limits and balances, and returns what
 * prevents it from being sent. The additional approvers that a soft limit requires gave their
 * approval before.
 */
export async function recheckLimits(batchId: string, deps: BalanceDeps): Promise<string[]> {
  const { ledger, clock } = deps;
  await queryBalancesThatCount(batchId, deps);
  const at = new Date(clock.nowMs());
  const breaches = await ledger.approval.findBatchLimitBreaches(batchId, at);
  const hard = breaches.filter(({ limit }) => limit.hard);
  return [
    ...hard.map((breach) => `${describeLimitBreach(breach)} ${describeLimitRemedy(breach)}`),
    ...(await ledger.approval.findUncoveredLanes(batchId, at)),
  ];
}
