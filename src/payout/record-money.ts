import { type Money, parseDecimal } from "#money/money.ts";
import type { StatusRecord } from "#payout/outcome.ts";

/**
 * Compares amounts as exact decimals: "100", "100.0" and "100.00" are the same amount. A float
 * would not be exact (F121).
 */
export function compareMoney(
  { currency, minor, minorDigits }: Money,
  record: StatusRecord,
): "same" | "different" | "unreadable" {
  const amount = parseDecimal(record.amount.trim(), minorDigits);
  if (!amount) return "unreadable";
  if (record.currency.toUpperCase() !== currency) return "different";
  return amount.minor === minor && amount.minorDigits === minorDigits ? "same" : "different";
}

/** A fee as the gateway reports it for a payout (specification, Transaction status record). */
export type ReportedFee =
  | { readonly kind: "read"; readonly fee: Money }
  /** Not an exact decimal. It is stored as written, and no total contains it. */
  | { readonly kind: "unreadable"; readonly text: string };

/** Maximum number of digits before and after the point. Anything longer is not a fee. */
const WHOLE_DIGITS_MAX = 15;
const FRACTION_DIGITS_MAX = 8;

/**
 * Reads the fee of a status record, exactly and without rounding: a percentage of an amount may
 * have more decimals than the currency. Null: the record has no fee, or may not be about this
 * payout. A fee never decides about the payout itself.
 */
export function feeOf(money: Money, record: StatusRecord): ReportedFee | null {
  const text = record.fee?.trim() ?? "";
  if (text === "" || text === "null") return null;
  if (record.state === "unclear" || compareMoney(money, record) !== "same") return null;
  const read = parseDecimal(text, money.minorDigits);
  const isFee =
    read !== null &&
    read.minorDigits <= Math.max(FRACTION_DIGITS_MAX, money.minorDigits) &&
    read.minor < 10n ** BigInt(WHOLE_DIGITS_MAX + read.minorDigits);
  return isFee
    ? { kind: "read", fee: { currency: money.currency, ...read } }
    : { kind: "unreadable", text };
}
