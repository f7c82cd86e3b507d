/**
 * ISO 4217 exponents, and beside each the number of decimals that the gateway takes
 * (protocol.md section 11: whole amounts for JPY, KRW, VND, IDR, MMK). A new currency is a new line.
 */
interface CurrencyFacts {
  /** ISO 4217: how many digits follow the point. Amounts are kept in this unit. */
  readonly minorDigits: number;
  /** How many of them the gateway takes. An amount that needs more is refused in the file. */
  readonly gatewayDigits: number;
}

// biome-ignore format: the columns are the point
export const CURRENCIES: Readonly<Record<string, CurrencyFacts>> = {
  BDT: { minorDigits: 2, gatewayDigits: 2 },
  BRL: { minorDigits: 2, gatewayDigits: 2 },
  CNY: { minorDigits: 2, gatewayDigits: 2 },
  IDR: { minorDigits: 2, gatewayDigits: 0 },
  INR: { minorDigits: 2, gatewayDigits: 2 },
  JPY: { minorDigits: 0, gatewayDigits: 0 },
  KRW: { minorDigits: 0, gatewayDigits: 0 },
  MMK: { minorDigits: 2, gatewayDigits: 0 },
  MYR: { minorDigits: 2, gatewayDigits: 2 },
  PHP: { minorDigits: 2, gatewayDigits: 2 },
  THB: { minorDigits: 2, gatewayDigits: 2 },
  TRY: { minorDigits: 2, gatewayDigits: 2 },
  VND: { minorDigits: 0, gatewayDigits: 0 },
};
