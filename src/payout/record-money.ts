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
