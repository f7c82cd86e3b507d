import type { PayoutLimit } from "#approval/payout-limits.ts";
import type { AmountUnit } from "#money/currency.ts";
import { parseDecimal } from "#money/money.ts";

/** A limit that could never be reached as intended. */
export interface InvalidLimit {
  /** Its index in the list of limits. */
  readonly at: number;
  readonly field: "currency" | "amount";
  readonly found: string;
  readonly expected: string;
}

/** Describes, for people, which currencies a limit or a rule may use. */
export const configuredCurrenciesText = (units: ReadonlyMap<string, AmountUnit>): string =>
  `a configured currency: ${[...units.keys()].join(", ")}`;

/**
 * Returns the new limits whose currency is not configured, or whose amount is finer than the
 * smallest unit of the currency. Existing limits are kept: a cryptocurrency may have been removed
 * from the configuration.
 */
export function findInvalidLimits(
  limits: readonly PayoutLimit[],
  before: readonly PayoutLimit[],
  units: ReadonlyMap<string, AmountUnit>,
): readonly InvalidLimit[] {
  const stands = ({ currency, amount }: PayoutLimit) =>
    before.some((each) => each.currency === currency && each.amount === amount);
  return limits.flatMap((limit, at): InvalidLimit[] => {
    if (stands(limit)) return [];
    const { currency, amount } = limit;
    const unit = units.get(currency);
    if (!unit) {
      return [
        { at, field: "currency", found: currency, expected: configuredCurrenciesText(units) },
      ];
    }
    const { minorDigits } = unit;
    if ((parseDecimal(amount, minorDigits)?.minorDigits ?? 0) <= minorDigits) return [];
    const finest = minorDigits === 0 ? "no decimals" : `at most ${minorDigits} decimals`;
    return [{ at, field: "amount", found: amount, expected: `${currency} in ${finest}` }];
  });
}
