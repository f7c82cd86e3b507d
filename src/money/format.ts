import { unitOf } from "#money/currency.ts";
import type { Money } from "#money/money.ts";

/**
 * Formats an amount as exact decimal text with all digits of the currency: 10050 minor units of INR
 * are "100.50", 7 of JPY are "7".
 */
export function formatMoney(money: Money): string {
  return decimalText(money.minor, money.minorDigits);
}

/** Formats an amount for a sentence: "3,125,000", and for INR "12,34,567.00". */
export const groupedAmount = (money: Money): string =>
  groupDigits(formatMoney(money), money.currency);

/** Groups the digits of a decimal text by thousands, or for INR by lakh and crore. */
export const groupDigits = (text: string, currency: string): string =>
  text.replaceAll(
    currency === "INR"
      ? /(?<!\.\d*)\B(?=(?:\d{2})*\d{3}(?!\d))/g
      : /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g,
    ",",
  );

/** Formats the decimals that an amount may have: "no decimals" or "at most 2 decimals". */
export const decimalsText = (minorDigits: number): string =>
  minorDigits === 0 ? "no decimals" : `at most ${minorDigits} decimals`;

/** The rule for an amount that somebody enters: "must be an amount in JPY with no decimals". */
export const amountRuleText = (currency: string, minorDigits: number): string =>
  `must be an amount in ${currency} with ${decimalsText(minorDigits)}`;

/**
 * Returns the decimal text with its currency, the form in which every document writes an amount.
 */
export const amountOf = (money: Money): { currency: string; amount: string } => ({
  currency: money.currency,
  amount: formatMoney(money),
});

/**
 * Formats an amount for the gateway: "100.00" for INR, "1000" for IDR, whose amounts must be whole
 * there although ISO 4217 defines two digits (gateway.md section 11). Throws if an amount
 * would lose digits. That is a bug, because the file reader refuses what the gateway cannot accept.
 */
export function gatewayAmount(money: Money): string {
  const digits = unitOf(money.currency)?.gatewayDigits ?? money.minorDigits;
  const surplus = money.minorDigits - digits;
  if (surplus <= 0) return decimalText(money.minor, money.minorDigits);

  const unit = 10n ** BigInt(surplus);
  if (money.minor % unit !== 0n) {
    throw new Error(`${money.currency} ${formatMoney(money)} has more than ${digits} decimals`);
  }
  return decimalText(money.minor / unit, digits);
}

function decimalText(minor: bigint, digits: number): string {
  const sign = minor < 0n ? "-" : "";
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
