import type { MoneyLimit } from "#batch/money-limits.ts";
import type { AmountUnit } from "#money/currency.ts";
import { readDecimal } from "#money/money.ts";

/** A limit that would never be reached as it was meant. */
export interface WrongLimit {
  /** Its place among the limits. */
  readonly at: number;
  readonly field: "currency" | "amount";
  readonly found: string;
  readonly expected: string;
}

/** What a limit or a rule is of, for people. */
export const paidHere = (units: ReadonlyMap<string, AmountUnit>): string =>
  `a currency that is paid here: ${[...units.keys()].join(", ")}`;

/**
 * New limits in a currency that is not paid here, or finer than its smallest unit. Those that stand already stay: a crypto
 * currency may have left the configuration.
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
