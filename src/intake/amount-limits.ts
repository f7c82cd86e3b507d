import { type AmountUnit, CURRENCIES, unitOf } from "#money/currency.ts";
import type { Chain } from "#payout/rules/addresses.ts";
import { LIMITS } from "#payout/rules/currency-rules.ts";

/** Cryptocurrencies: currency code to its chain and the decimal digits of its smallest unit. */
export type CryptoCurrencies = ReadonlyMap<
  string,
  { readonly chain: Chain; readonly minorDigits: number }
>;

/**
 * Returns the units of all amounts: the currencies of the table, and the configured
 * cryptocurrencies, whose digits the gateway accepts in full.
 */
export function unitsOf(crypto: CryptoCurrencies): ReadonlyMap<string, AmountUnit> {
  const units = new Map<string, AmountUnit>();
  for (const currency of Object.keys(CURRENCIES)) {
    const unit = unitOf(currency);
    if (unit) units.set(currency, unit);
  }
  for (const [currency, { minorDigits }] of crypto) {
    units.set(currency, { currency, minorDigits, gatewayDigits: minorDigits });
  }
  return units;
}

/** Returns the default limits in minor units. A cryptocurrency outside the table has no limit. */
export function defaultLimits(crypto: CryptoCurrencies): Map<string, bigint> {
  const units = unitsOf(crypto);
  return new Map(
    Object.entries(LIMITS).flatMap(([currency, whole]) => {
      const unit = units.get(currency);
      return unit ? [[currency, whole * 10n ** BigInt(unit.minorDigits)]] : [];
    }),
  );
}
