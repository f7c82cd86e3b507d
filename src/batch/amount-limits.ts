import { type AmountUnit, CURRENCIES, unitOf } from "#money/currency.ts";
import type { Chain } from "#payout/addresses.ts";
import { LIMITS } from "#payout/rules.ts";

/** Crypto currencies: code to chain and digits of the smallest unit. */
export type CryptoCurrencies = ReadonlyMap<
  string,
  { readonly chain: Chain; readonly minorDigits: number }
>;

/** What amounts are counted in: the currencies of the table, and crypto, of which the gateway takes every digit. */
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

/** The limits of the table in minor units. A crypto currency that is not in it has none. */
export function defaultLimits(crypto: CryptoCurrencies): Map<string, bigint> {
  const units = unitsOf(crypto);
  return new Map(
    Object.entries(LIMITS).flatMap(([currency, whole]) => {
      const unit = units.get(currency);
      return unit ? [[currency, whole * 10n ** BigInt(unit.minorDigits)]] : [];
    }),
  );
}
