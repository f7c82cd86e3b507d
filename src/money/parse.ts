import type { AmountUnit } from "#money/currency.ts";
import type { Money } from "#money/money.ts";
import { err, ok, type Result } from "#base/result.ts";

interface StyleFacts {
  /** The characters that may separate groups of digits. */
  readonly group: string;
  readonly point: string;
  readonly example: string;
  /** Number of digits in each group above the thousands. */
  readonly upperGroup: 2 | 3;
}

/**
 * The styles in which a file may write its amounts, named by example. A file has one style, which
 * is never guessed.
 */
// biome-ignore format: the columns are the point
export const AMOUNT_STYLES = {
  "plain":         { group: "",             point: ".", upperGroup: 3, example: "1234.56" },
  "1,234.56":      { group: ",",            point: ".", upperGroup: 3, example: "1,234.56" },
  "1.234,56":      { group: ".",            point: ",", upperGroup: 3, example: "1.234,56" },
  "1 234,56":      { group: " \u00a0\u202f", point: ",", upperGroup: 3, example: "1 234,56" },
  "1'234.56":      { group: "'\u2019",      point: ".", upperGroup: 3, example: "1'234.56" },
  "1,25,000.50":   { group: ",",            point: ".", upperGroup: 2, example: "1,25,000.50" },
} satisfies Record<string, StyleFacts>;

export type AmountStyle = keyof typeof AMOUNT_STYLES;
export const AMOUNT_STYLE_NAMES = Object.keys(AMOUNT_STYLES) as readonly AmountStyle[];

/**
 * The reason why a text is not an amount. intake/text/problems.ts has a sentence and a correction
 * for each reason.
 */
export type AmountFault =
  | "amount_missing"
  | "amount_scientific"
  | "amount_is_a_date"
  | "amount_foreign_digits"
  | "amount_with_currency"
  | "amount_trailing_signs"
  | "amount_negative"
  | "amount_groups_of_two"
  | "amount_separators"
  | "amount_leading_zeros"
  | "amount_not_a_number"
  | "amount_too_long"
  | "amount_too_many_decimals"
  | "amount_decimals_not_payable"
  | "amount_zero";

/**
 * Maximum number of digits of the whole part: a quadrillion. Anything longer is another column's
 * content.
 */
const WHOLE_DIGITS_MAX = 15;

const PLAIN_INTEGER = /^[1-9][0-9]*$/;
const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)\.([0-9]+)$/;
const LEADING_ZEROS = /^0[0-9]+(?:\.[0-9]+)?$/;

/**
 * Parses an amount exactly: "12.5" INR is 1250 minor units. It never rounds and never guesses. Text
 * that is not in the file's declared style, has more decimals than the currency or the gateway, is
 * zero or is negative is refused, each with its own reason.
 */
export function parseMoney(
  text: string,
  unit: AmountUnit,
  style: AmountStyle = "plain",
): Result<Money, AmountFault> {
  const read = readInStyle(text, unit, style);
  if (!read.ok) return err(read.error ?? faultOf(text, style));
  return ok({ currency: unit.currency, minor: read.value, minorDigits: unit.minorDigits });
}

/** Returns the amount in minor units. Null: the text is not an amount in this style. */
export function minorInStyle(text: string, unit: AmountUnit, style: AmountStyle): bigint | null {
  const read = readInStyle(text, unit, style);
  return read.ok ? read.value : null;
}

/** Reads an amount. The error is null if the text is not a decimal of the style. */
function readInStyle(
  text: string,
  unit: AmountUnit,
  style: AmountStyle,
): Result<bigint, AmountFault | null> {
  const plain = ungrouped(text, style);
  if (plain === null) return err(null);

  let whole = plain;
  let fraction = "";
  if (!PLAIN_INTEGER.test(plain)) {
    const match = PLAIN_DECIMAL.exec(plain);
    if (!match) return err(null);
    whole = match[1] ?? "";
    fraction = match[2] ?? "";
  }
  if (whole.length > WHOLE_DIGITS_MAX) return err("amount_too_long");
  if (fraction.length > unit.minorDigits) return err("amount_too_many_decimals");
  for (let i = unit.gatewayDigits; i < fraction.length; i++) {
    if (fraction.charCodeAt(i) !== 48) return err("amount_decimals_not_payable");
  }

  const minor = BigInt(whole + fraction.padEnd(unit.minorDigits, "0"));
  return minor === 0n ? err("amount_zero") : ok(minor);
}

/**
 * Matches the whole part of an amount in each style: without groups, or in groups with a consistent
 * separator, of which the last has three digits.
 */
const WHOLE = new Map(
  Object.entries(AMOUNT_STYLES).map(([name, { group, upperGroup: size }]) => [
    name,
    new RegExp(`^(?:[0-9]+|[0-9]{1,${size}}(?=([${group}]))(?:\\1[0-9]{${size}})*\\1[0-9]{3})$`),
  ]),
);

/**
 * Returns the text without group separators and with "." as the decimal point. Null: the groups do
 * not have the sizes of the style.
 */
export function ungrouped(text: string, style: AmountStyle): string | null {
  const [whole = "", ...fractions] = text.split(AMOUNT_STYLES[style].point);
  if (!WHOLE.get(style)?.test(whole)) return null;
  return [whole.replace(/[^0-9]/g, ""), ...fractions].join(".");
}

/**
 * Matches a sign such as R$ or ₹, or a code. A single letter after a number may mean thousands, as
 * in 15k and 1.5万.
 */
const WITH_CURRENCY =
  /^\s*(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)\s*[0-9]|[0-9]\s*(?:\p{Sc}|[đĐ元圆円원]|\p{L}{2,3})\s*$/u;
/** Groups as in India and Bangladesh, with any separator: 12,34,567.89 or 12.34.567,89. */
const GROUPS_OF_TWO =
  /^[0-9]{1,2}(?=([,.'\u2019 \u00a0\u202f]))(?:\1[0-9]{2})+\1[0-9]{3}(?:(?!\1)[.,][0-9]+)?$/u;

/** Returns why a text is not a decimal of its style, with the most specific reason first. */
function faultOf(text: string, style: AmountStyle): AmountFault {
  if (text === "") return "amount_missing";
  if (/^[+-]?[0-9]+(?:[.,][0-9]+)?[eE][+-]?[0-9]+$/.test(text)) return "amount_scientific";
  if (looksLikeDate(text)) return "amount_is_a_date";
  if (/(?![0-9])\p{Nd}/u.test(text)) return "amount_foreign_digits";
  // 1500/- in India and 1500,- in Indonesia mean that no decimals follow.
  if (/[0-9]\s*[/.,]\s*[-=\u2212\u2013\u2014]+$/u.test(text)) return "amount_trailing_signs";
  if (/^[-\u2212\u2013(]|[-\u2212\u2013)]$/u.test(text) && /[0-9]/.test(text))
    return "amount_negative";
  if (WITH_CURRENCY.test(text)) return "amount_with_currency";
  if (/^0+(?:[.,]0*)?$/.test(text)) return "amount_zero";
  if (LEADING_ZEROS.test(ungrouped(text, style) ?? "")) {
    return "amount_leading_zeros";
  }
  if (GROUPS_OF_TWO.test(text)) return "amount_groups_of_two";
  if (/^[0-9][0-9.,'\u2019 \u00a0\u202f]*[0-9]$/u.test(text)) return "amount_separators";
  return "amount_not_a_number";
}

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const DAY = "(?:0?[1-9]|[12][0-9]|3[01])";
// Dashes count only if all three parts fit a date: an account number may be 1234-56-78.
const DATE = new RegExp(
  `^(?:(?:19|2[01])[0-9]{2}-(?:0?[1-9]|1[0-2])-${DAY}(?:[ T].*)?` +
    `|${DAY}-${DAY}-(?:19|2[01])[0-9]{2}(?: .*)?` +
    "|[0-9]{1,2}[/.][0-9]{1,2}[/.](?:[0-9]{2}|[0-9]{4})(?: .*)?" +
    `|${MONTH}[- ][0-9]{1,4}|[0-9]{1,2}[- ]${MONTH}(?:[- ][0-9]{2,4})?)$`,
  "i",
);

/**
 * Returns whether a spreadsheet or a person wrote a date: 2026-01-05, 05/01/2026, 5-Jan, Jan-05.
 */
export function looksLikeDate(text: string): boolean {
  return text.length <= 40 && DATE.test(text);
}
