import type { DepositDeps } from "#flows/deposit/deps.ts";
import { queryDepositSoon } from "#flows/deposit/follow.ts";
import { findDepositWork, storeDepositEvidence } from "#ledger/deposit/transitions.ts";

/**
 * Stores the content of a callback about a deposit and requests a status query. Returns false if
 * the code is not a deposit of this ledger.
 */
export async function receiveDepositCallback(
  code: string,
  facts: Readonly<Record<string, unknown>>,
  deps: DepositDeps,
): Promise<boolean> {
  const known = await findDepositWork(deps.database, code);
  if (!known) return false;
  await storeDepositEvidence(deps.database, known.depositId, "callback", null, facts);
  await queryDepositSoon(code, deps);
  return true;
}
