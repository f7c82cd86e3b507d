import { unitOf } from "#money/currency.ts";
import { amountOf } from "#money/format.ts";
import { laneParts } from "#payout/payout.ts";

const MINOR = /^\d{1,38}$/;

/**
 * Returns the totals that an entry of the audit log records in minor units, by currency or lane, as
 * amounts. Null: it records none, or in an unknown currency.
 */
export function auditTotals({ totals }: Readonly<Record<string, unknown>>) {
  if (typeof totals !== "object" || totals === null) return null;
  const amounts = Object.entries(totals).map(([of, minor]) => {
    const unit = unitOf(laneParts(of).currency);
    return unit && typeof minor === "string" && MINOR.test(minor)
      ? amountOf({ ...unit, minor: BigInt(minor) })
      : null;
  });
  return amounts.every((amount) => amount !== null) ? amounts : null;
}
