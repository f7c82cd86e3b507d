import type { MoneyLimit } from "#approval/payout-limits.ts";
import type { AmountUnit } from "#money/currency.ts";
import { readDecimal } from "#money/money.ts";

/** A limit that could never be reached as intended. */
export interface WrongLimit {
  /** Its index in the list of limits. */
  readonly at: number;
  readonly field: "currency" | "amount";
  readonly found: string;
  readonly expected: string;
}

/** Describes, for people, which currencies a limit or a rule may use. */
export const paidHere = (units: ReadonlyMap<string, AmountUnit>): string =>
  `a configured currency: ${[...units.keys()].join(", ")}`;

/**
 * Returns the new limits whose currency is not configured, or whose amount is finer than the
 * smallest unit of the currency. Existing limits are kept: a cryptocurrency may have been removed
 * from the configuration.
 */
export function wrongLimits(
  limits: readonly MoneyLimit[],
  before: readonly MoneyLimit[],
  units: ReadonlyMap<string, AmountUnit>,
): readonly WrongLimit[] {
  const stands = ({ currency, amount }: MoneyLimit) =>
    before.some((each) => each.currency === currency && each.amount === amount);
  return limits.flatMap((limit, at): WrongLimit[] => {
    if (stands(limit)) return [];
    const { currency, amount } = limit;
    const unit = units.get(currency);
    if (!unit) {
      return [{ at, field: "currency", found: currency, expected: paidHere(units) }];
    }
    const { minorDigits } = unit;
    if ((readDecimal(amount, minorDigits)?.minorDigits ?? 0) <= minorDigits) return [];
    const finest = minorDigits === 0 ? "no decimals" : `at most ${minorDigits} decimals`;
    return [{ at, field: "amount", found: amount, expected: `${currency} in ${finest}` }];
  });
}
