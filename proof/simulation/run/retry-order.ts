import type { RetryOrder } from "#flows/payout/retry-batch.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { amountOf } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";

/**
 * Retries all declined and returned payouts of a batch: with another bank name where the gateway
 * refused the details, otherwise unchanged with a reason and the confirmed totals of the returned.
 */
export async function retryOrder(batchId: string, ledger: PayingLedger): Promise<RetryOrder> {
  const page = { batchId, after: 0, sizeMax: 10_000, withReturned: true };
  const declined = await ledger.payout.declinedRows(page);
  const returned = declined.filter(({ state }) => state === "returned");
  const totals = [...sumByCurrency(returned.map(({ order }) => order.money)).values()].map(
    amountOf,
  );
  const needNewDetails = declined.filter(
    ({ reason }) => retryConditionOf(reason).rule === "new_details",
  );
  const edits = new Map(
    needNewDetails.map(({ line, order: { details } }) => [
      line,
      new Map([["bank_name" as const, `${details.bank_name ?? "Bank"} Ltd`]]),
    ]),
  );
  const lines = declined.map(({ line }) => line).filter((line) => !edits.has(line));
  const unchanged = {
    ...(lines.length > 0 && { lines }),
    ...(totals.length > 0 && { returned: totals }),
  };
  return { batchId, actor: "maker", reason: "the account was confirmed", edits, ...unchanged };
}
