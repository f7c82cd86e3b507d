import type { DepositDeps } from "#flows/deposit/deps.ts";
import { queryDepositSoon } from "#flows/deposit/follow.ts";

/**
 * Stores the content of a callback about a deposit and requests a status query. Returns false if
 * the code is not a deposit of this ledger.
 */
export async function receiveDepositCallback(
  code: string,
  facts: Readonly<Record<string, unknown>>,
  deps: DepositDeps,
): Promise<boolean> {
  const known = await deps.ledger.deposit.findDepositWork(code);
  if (!known) return false;
  await deps.ledger.deposit.storeDepositEvidence(known.depositId, "callback", null, facts);
  await queryDepositSoon(code, deps);
  return true;
}
