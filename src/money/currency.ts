interface CurrencyFacts {
  /** ISO 4217 exponent: the number of decimal digits. Amounts are stored in this unit. */
  readonly minorDigits: number;
  /**
   * Number of decimal digits that the gateway accepts. An amount that needs more is refused in the
   * file.
   */
  readonly gatewayDigits: number;
}

/**
 * ISO 4217 exponents, each with the number of decimals that the gateway accepts (gateway.md
 * section 11: whole amounts for JPY, KRW, VND, IDR, MMK). A new currency is a new line.
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

/**
 * Form of a currency code. The operator chooses the code of a cryptocurrency, such as USDT-TRC20.
 */
export const CURRENCY_CODE = /^[A-Z0-9-]{1,40}$/;

export type Currency = keyof typeof CURRENCIES;

/** The unit in which amounts are counted. */
export interface AmountUnit extends CurrencyFacts {
  readonly currency: string;
}

/** Returns whether this is the code of a supported currency. */
export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code);

/** Returns the unit of a currency in the table. Undefined: the code is not in it. */
export function unitOf(currency: Currency): AmountUnit;
export function unitOf(code: string): AmountUnit | undefined;
/** Returns the currency with its minor digits. Undefined: not a supported currency. */
export function unitOf(code: string): AmountUnit | undefined {
  return isCurrency(code) ? { currency: code, ...CURRENCIES[code] } : undefined;
}
