import { messages } from "./messages.ts";

const texts = messages.amounts;

/** Amounts are exact decimal text and are never converted to a floating-point number. */
export interface Money {
  readonly currency: string;
  readonly amount: string;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

const decimalsOf = (amount: string): number => DECIMAL.exec(amount)?.[3]?.length ?? 0;

/**
 * Formats "1234567.00" for the reader's locale and keeps all of its digits. INR has Indian
 * grouping: 12,34,567.00.
 *
 * @param currency null if it is not known.
 */
export function formatAmount(amount: string, currency: string | null, locale?: string): string {
  if (!DECIMAL.test(amount)) return amount;
  const format = formatOf(currency === "INR" ? indianIf(locale) : locale, decimalsOf(amount));
  // A decimal string is formatted exactly; a number would lose digits above 2^53.
  return format.format(amount as `${number}`);
}

/** A page shows many amounts, and to make a format takes far longer than to use it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string | undefined, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/** The Indian locale for readers whose own locale writes the same separators: "1,234.5". */
const indianIf = (locale: string | undefined): string | undefined =>
  formatOf(locale, 1).format(1234.5) === "1,234.5" ? "en-IN" : locale;

/**
 * Shows the currency code before the amount, and a minus before both: "−INR 75.05". A sign such as
 * $ would be ambiguous.
 */
export const formatMoney = ({ currency, amount }: Money, locale?: string): string =>
  amount.startsWith("-")
    ? `−${currency} ${formatAmount(amount.slice(1), currency, locale)}`
    : `${currency} ${formatAmount(amount, currency, locale)}`;

/** A formatted amount whose decimals that are all zero are a part of their own. */
interface AmountDigits {
  /** "12,34,567" or "12,34,567.50". */
  readonly digits: string;
  /** ".00", or nothing. */
  readonly zeros: string;
}

/** Splits a formatted amount before its decimals, if they are all zero: "37" and ".00". */
export function splitAmount(
  amount: string,
  currency: string | null,
  locale?: string,
): AmountDigits {
  const text = formatAmount(amount, currency, locale);
  const decimals = DECIMAL.exec(amount)?.[3];
  if (decimals === undefined || /[1-9]/.test(decimals)) return { digits: text, zeros: "" };
  // A digit of some scripts has two code units. The separator has one.
  const characters = [...text];
  const end = characters.length - decimals.length - 1;
  return { digits: characters.slice(0, end).join(""), zeros: characters.slice(end).join("") };
}

/** "+INR 100.00", "−INR 100.00" or "INR 0.00". */
export const formatSigned = (money: Money): string =>
  money.amount.startsWith("-") || isZero(money) ? formatMoney(money) : `+${formatMoney(money)}`;

/** Whether an amount is 0, such as the difference of a break of two transactions without effect. */
export const isZero = ({ amount }: Money): boolean => !/[1-9]/.test(amount);

const AMOUNT_IN_TEXT = /(?<![\w.,-])(-?\d+(?:\.\d+)?) ([A-Z]{3,6})(?=$|[,;])/g;
/** The amount in a gateway's answer: "the gateway reports INR 30807.04". */
const REPORTED_AMOUNT = /(?<=\b(?:reports|with) )([A-Z]{3,6}) (\d+(?:\.\d+)?)(?![\d.]*\d)/g;

/**
 * Formats each amount with a currency in a text of the ledger: "settled, 12500.00 INR, G123"
 * becomes "settled, INR 12,500.00, G123".
 */
export const formatAmountsIn = (text: string, locale?: string): string =>
  text
    .replaceAll(AMOUNT_IN_TEXT, (_, amount: string, currency: string) =>
      formatMoney({ currency, amount }, locale),
    )
    .replaceAll(REPORTED_AMOUNT, (_, currency: string, amount: string) =>
      formatMoney({ currency, amount }, locale),
    );

/** The exact sum of decimal texts, with the largest number of decimals among them. */
export function addAmounts(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map(decimalsOf));
  const sum = amounts.reduce((total, amount) => total + scaled(amount, digits), 0n);
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const sign = sum < 0n ? "-" : "";
  return digits === 0 ? sign + whole : `${sign}${whole}.${text.slice(text.length - digits)}`;
}

/** Returns the sum of each currency, in the order of their first amounts. */
export const sumByCurrency = (parts: readonly Money[]): readonly Money[] =>
  [...Map.groupBy(parts, ({ currency }) => currency)].map(([currency, each]) => ({
    currency,
    amount: addAmounts(each.map(({ amount }) => amount)),
  }));

/** Returns whether two decimal texts are the same amount: "1.5" and "1.50" are. */
export const sameAmount = (one: string, other: string): boolean => {
  const digits = Math.max(decimalsOf(one), decimalsOf(other));
  return scaled(one, digits) === scaled(other, digits);
};

function scaled(amount: string, digits: number): bigint {
  const match = DECIMAL.exec(amount);
  if (!match) throw new Error(`not an amount: ${amount}`);
  const [, sign = "", whole = "", fraction = ""] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(digits, "0")}`);
}

/** The result of reading a typed amount: exact decimal text, or an instruction how to write it. */
type TypedAmount =
  | { readonly amount: string; readonly refusal: null }
  | { readonly amount: null; readonly refusal: string };

/**
 * The same separator between all groups of three digits, or commas in Indian grouping: 12,34,567.
 */
const TYPED =
  /^(?:\d+|[1-9]\d{0,2}([, \u00a0\u202f'’])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/;

/**
 * Reads a typed amount. A separator is accepted only between groups of digits: "37,50" is not read
 * as 3750, because a re-entered total must reveal such a slip.
 */
export function readAmount(typed: string, currency: string): TypedAmount {
  const text = withoutCode(typed.trim(), currency);
  if (!TYPED.test(text)) return { amount: null, refusal: howToWrite(text, currency) };
  return { amount: text.replace(/[^\d.]/g, ""), refusal: null };
}

/** Removes the currency code from "INR 37.50" and "37.50 INR". */
function withoutCode(text: string, currency: string): string {
  const big = text.toUpperCase();
  if (currency === "") return text;
  if (big.startsWith(currency)) return text.slice(currency.length).trim();
  if (big.endsWith(currency)) return text.slice(0, -currency.length).trim();
  return text;
}

const OTHER_DIGIT = /(?!\d)\p{Nd}/u;
const OTHER_SIGN = /[\p{L}\p{Sc}]/u;
const DECIMAL_COMMA = /^(\d[\d.\s'’]*),(\d{1,2})$/;

function howToWrite(text: string, currency: string): string {
  if (OTHER_DIGIT.test(text)) return texts.writeDigits;
  if (OTHER_SIGN.test(text)) return texts.writeAmountOnly(currency);
  const [, whole, decimals] = DECIMAL_COMMA.exec(text) ?? [];
  return whole === undefined
    ? texts.writePoint
    : texts.writeInstead(`${whole.replace(/\D/g, "")}.${decimals}`);
}

/** Returns an amount as a whole percentage of the largest amount, for bars from 0 to 100. */
export function shareOf(amount: string, others: readonly string[]): number {
  const digits = Math.max(decimalsOf(amount), ...others.map(decimalsOf));
  const largest = others.reduce((most, other) => {
    const value = scaled(other, digits);
    return value > most ? value : most;
  }, 0n);
  if (largest <= 0n) return 0;
  const share = (scaled(amount, digits) * 100n) / largest;
  return Number(share < 0n ? 0n : share > 100n ? 100n : share);
}
