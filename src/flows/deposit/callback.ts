import type { DepositDeps } from "#flows/deposit/deps.ts";
import { hurryDeposit } from "#flows/deposit/follow.ts";
import { depositQuestion, keepDepositFacts } from "#ledger/deposit/transitions.ts";

/**
 * Stores the content of a callback about a deposit and requests a status query. Returns false if
 * the code is not a deposit of this ledger.
 */
export async function hearOfDeposit(
  code: string,
  facts: Readonly<Record<string, unknown>>,
  deps: DepositDeps,
): Promise<boolean> {
  const known = await depositQuestion(deps.database, code);
  if (!known) return false;
  await keepDepositFacts(deps.database, known.depositId, "callback", null, facts);
  await hurryDeposit(code, deps);
  return true;
}
