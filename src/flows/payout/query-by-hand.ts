import { queryStatus } from "#flows/payout/status-query.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/request-slots.ts";
import { whyNotQueried } from "#payout/outlook.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * Queries the status of one payout now, regardless of when a query is due. A transaction code that
 * is not in the ledger is never sent to the gateway.
 */
export async function queryByHand(transactionCode: string, deps: PayDeps): Promise<void> {
  const question = await deps.ledger.payout.findStatusQuery(transactionCode);
  if (!question) return;
  await withSlot(deps, () => queryStatus(question, deps));
}

/**
 * Queries the status of one payout for a person, and records the request on the audit log first.
 * Returns null if the payout does not exist, and an Err with the reason if its status cannot be
 * queried.
 */
export async function queryForPerson(
  wish: { readonly code: string; readonly actor: string; readonly at: Date },
  deps: PayDeps,
  ledger: LedgerSteps,
): Promise<Result<true, string | null>> {
  const question = await deps.ledger.payout.findStatusQuery(wish.code);
  if (!question) return err(null);
  const why = whyNotQueried(question.state);
  if (why !== null) return err(why);
  await ledger.payout.recordAction("query_status", wish);
  await queryByHand(wish.code, deps);
  return ok(true);
}
