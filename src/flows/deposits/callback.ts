import type { DepositDeps } from "#flows/deposits/deps.ts";
import { hurryDeposit } from "#flows/deposits/follow.ts";
import { depositQuestion, keepDepositFacts } from "#ledger/deposit-moves.ts";

/** Keeps what a callback said of a deposit and asks for a question about it. False: the code is no deposit of ours. */
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
