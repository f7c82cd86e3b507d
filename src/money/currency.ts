interface CurrencyFacts {
  /** ISO 4217: how many digits follow the point. Amounts are kept in this unit. */
  readonly minorDigits: number;
  /** How many of them the gateway takes. An amount that needs more is refused in the file. */
  readonly gatewayDigits: number;
}

/**
 * ISO 4217 exponents, and beside each the number of decimals that the gateway takes
 * (docs/gateway.md section 11: whole amounts for JPY, KRW, VND, IDR, MMK). A new currency is a new line.
 */
// biome-ignore format: the columns are the point
export const CURRENCIES = {
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
} satisfies Record<string, CurrencyFacts>;

/** How a code is written: that of a crypto currency is the operator's own, such as USDT-TRC20. */
export const CURRENCY_CODE = /^[A-Z0-9-]{1,40}$/;

export type Currency = keyof typeof CURRENCIES;

/** What an amount is counted in. */
export interface AmountUnit extends CurrencyFacts {
  readonly currency: string;
}

export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code);

/** The unit of a currency of the table; undefined for a code that is not in it. */
export function unitOf(currency: Currency): AmountUnit;
export function unitOf(code: string): AmountUnit | undefined;
export function unitOf(code: string): AmountUnit | undefined {
  return isCurrency(code) ? { currency: code, ...CURRENCIES[code] } : undefined;
}
