import { sayBreach, sayRemedy } from "#batch/money-limits.ts";
import { askBalances, type BalanceDeps } from "#flows/balance.ts";
import { lanesOf } from "#ledger/balances.ts";
import { findBreaches, uncoveredBy } from "#ledger/limit-use.ts";
import { readLimits } from "#ledger/money-limits.ts";

/**
 * What keeps an approved batch from going out by the limits and balances of now. The people whom a soft limit takes have
 * had their say when it was approved.
 */
export async function limitsAgain(batchId: string, deps: BalanceDeps): Promise<string[]> {
  const { database, clock } = deps;
  const { when_short } = await readLimits(database);
  if (when_short === "refuse") await askBalances(await lanesOf(database, batchId), deps);
  const at = new Date(clock.nowMs());
  const breaches = await findBreaches(database, batchId, at);
  const hard = breaches.filter(({ limit }) => limit.hard);
  return [
    ...hard.map((breach) => `${sayBreach(breach)} ${sayRemedy(breach)}`),
    ...(await uncoveredBy(database, batchId, at)),
  ];
}
