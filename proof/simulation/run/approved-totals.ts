import { type ApprovedRow, hundredths } from "./approved-row.ts";
import type { Tables } from "#proof/simulation/ledger/tables.ts";

/** Currencies whose approved total differs from the file's. */
export function* wrongTotals(
  { audit, payouts }: Tables,
  rows: ReadonlyMap<string, ApprovedRow>,
): Generator<string> {
  for (const { action, object, facts } of audit) {
    if (action !== "approve") continue;
    const sums: Record<string, string> = {};
    for (const { batchId, order } of payouts) {
      const row = rows.get(order.transactionCode);
      if (batchId !== object || !row) continue;
      const { currency, amount } = row;
      const minor = hundredths(amount) / 10n ** BigInt(2 - order.money.minorDigits);
      sums[currency] = `${BigInt(sums[currency] ?? 0) + minor}`;
    }
    const approved = facts["totals"] as Readonly<Record<string, string>>;
    for (const [currency, total] of Object.entries(sums)) {
      if (approved[currency] === total) continue;
      yield `${currency} ${approved[currency]} was approved, but the file contains ${total}`;
    }
  }
}
