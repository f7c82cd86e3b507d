import { knownColumn } from "#intake/header/column-names.ts";
import { parseDecimal } from "#money/money.ts";
import { type AmountStyle, ungrouped } from "#money/parse.ts";

/** "Total" in several languages, in lower case. */
// biome-ignore format: one line per script
const WORDS = [
  "total", "grand total", "subtotal", "sub total", "sum", "sum total", "totals",
  "gesamt", "gesamtsumme", "summe", "totaal", "totale", "totaux", "somme", "suma", "soma", "toplam",
  "jumlah", "kabuuan", "tổng", "tổng cộng", "итого", "всего",
  "合計", "総計", "小計", "合计", "总计", "小计", "總計", "합계", "총계", "รวม", "รวมทั้งสิ้น", "कुल", "योग", "মোট", "စုစုပေါင်း",
];

const meansTotal = (text: string): boolean =>
  WORDS.includes(
    text
      .toLowerCase()
      .replace(/[\s:：=.]+$/u, "")
      .replaceAll(/\s+/gu, " "),
  );

/** Numbers in any format, also with a currency in front or behind. */
const NUMBER = /^(?:[A-Z]{3}\s*)?[-+]?\d[\d\s.,'’]*(?:\s*[A-Z]{3})?$/u;

/**
 * Returns whether a rejected row looks like the row with the total below the payouts: its first
 * text means "total" in some language, and all others are numbers.
 */
export function looksLikeTotal(cells: readonly string[]): boolean {
  const [first = "", ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return meansTotal(first) && others.every((text) => NUMBER.test(text));
}

/** More decimals than any currency has. */
const DIGITS = 18;

/**
 * Compares the amount of such a row with the total of the payouts. Null: it has no amount, or the
 * payouts have several currencies.
 */
export function equalsTotal(
  header: readonly string[],
  cells: readonly string[],
  totals: readonly { readonly amount: string }[],
  style: AmountStyle,
): boolean | null {
  const place = header.findIndex((name) => knownColumn(name) === "transaction_amount");
  const text = ungrouped(cells[place]?.trim() ?? "", style);
  const [total] = totals;
  if (!total || totals.length > 1 || text === null || text === "") return null;
  const [own, sum] = [parseDecimal(text, DIGITS), parseDecimal(total.amount, DIGITS)];
  return own !== null && own.minor === sum?.minor && own.minorDigits === sum.minorDigits;
}
