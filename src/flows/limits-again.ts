import { sayBreach, sayRemedy } from "#batch/money-limits.ts";
import { askWhereItCounts, type BalanceDeps } from "#flows/balance.ts";
import { findBreaches, uncoveredBy } from "#ledger/limit-use.ts";

/**
 * What keeps an approved batch from going out by the limits and balances of now. The people whom a soft limit takes have
 * had their say when it was approved.
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
