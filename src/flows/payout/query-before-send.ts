import type { PayDeps } from "#flows/deps.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import type { Outcome } from "#payout/outcome.ts";

/** An outcome that replaces the request: the attempt sends nothing. */
const UNQUERIED_OUTCOME = {
  kind: "deferred",
  code: "none",
  text: "not sent: after a restore, the gateway must first report that it does not know the payout",
  stop: null,
} as const satisfies Outcome;

/**
 * Queries the code of a payout right before its first byte, if a restore may have removed an
 * earlier attempt from the ledger. The gateway may have stopped refusing the code by now, for
 * example because the lane was stopped, but it still shows the payment (F26).
 *
 * Returns the outcome that replaces the request, or null if the payout may be sent.
 */
export async function queryBeforeSend(
  { order, mayBeForgotten }: OpenAttempt,
  { gateway }: Pick<PayDeps, "gateway">,
): Promise<Outcome | null> {
  if (!mayBeForgotten) return null;
  const { answer } = await gateway.status(order.money.currency, order.transactionCode);
  if (answer.kind === "not_found") return null;
  // As if the gateway had refused the code: the next query compares amount and currency.
  return answer.kind === "found" ? { kind: "duplicate" } : UNQUERIED_OUTCOME;
}
