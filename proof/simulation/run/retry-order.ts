import type { RetryOrder } from "#flows/payout/retry-batch.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";

/**
 * Retries all declined payouts of a batch: with another bank name where the gateway refused the
 * details, otherwise unchanged with a reason.
 */
export async function retryOrder(batchId: string, ledger: PayingLedger): Promise<RetryOrder> {
  const declined = await ledger.payout.declinedRows({ batchId, after: 0, sizeMax: 10_000 });
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
  const unchanged = lines.length > 0 ? { lines } : {};
  return { batchId, actor: "maker", reason: "the account was confirmed", edits, ...unchanged };
}
