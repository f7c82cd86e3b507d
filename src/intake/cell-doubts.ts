import { unitsOf } from "#intake/amount-limits.ts";
import { trimmed } from "#intake/cell-check.ts";
import type { Column, ColumnPlaces } from "#intake/header/columns.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { type Problem, type ProblemCode, problem } from "#intake/text/problems.ts";
import { visible } from "#base/invisible-characters.ts";
import { exactText, textOf } from "#intake/workbook/cell-text.ts";
import { foreignSign } from "#intake/workbook/currency-signs.ts";
import { isRounded } from "#intake/workbook/number-formats.ts";
import type { Cell, FormattedText, SheetRow, WrittenNumber } from "#intake/workbook/sheet.ts";

/**
 * Finds the cells of a row in which a spreadsheet may have changed the value.
 *
 * @param currencyOfAll the currency of all rows. Null: the file has a currency column.
 */
export function doubtFinder(
  places: ColumnPlaces,
  columnAt: ReadonlyMap<number, Column>,
  settings: RowSettings,
  currencyOfAll: string | null = null,
) {
  const currencyPlace = places.get("currency_code") ?? -1;
  const amountPlace = places.get("transaction_amount") ?? -1;
  const units = unitsOf(settings.crypto);

  return ({ cells, covered = [] }: SheetRow, texts: readonly string[], line: number) => {
    const doubts = cells.flatMap((cell, place) => {
      const column = columnAt.get(place);
      return column === undefined ? [] : doubtOf(cell, column, line);
    });
    const currency = currencyOfAll ?? trimmed(texts, currencyPlace);
    const amount = cells[amountPlace] ?? null;
    const foreign = units.has(currency) ? foreignDoubt(amount, currency, line) : [];
    const merged = covered.flatMap((place) => {
      const column = columnAt.get(place);
      return column ? [problem("cell_merged", { line, column, found: texts[place] ?? "" })] : [];
    });
    return { found: [...doubts, ...foreign], merged };
  };
}

function doubtOf(cell: Cell, column: Column, line: number): Problem[] {
  if (cell === null || typeof cell !== "object") return [];
  if ("lost" in cell) {
    const code = cell.lost === "" ? "formula_not_calculated" : "error_value";
    return [problem(code, { line, column, found: cell.lost || null })];
  }
  const at = { line, column, found: textOf(cell, "plain") };
  if ("date" in cell) return [problem("cell_is_a_date", at)];
  if ("text" in cell) return textDoubt(cell, column).map((code) => problem(code, at));
  if (exactText(cell.written) === null) return [problem("number_not_exact", at)];
  if (column === "transaction_code") return [problem("code_not_text", at)];
  if (column === "transaction_amount") return amountDoubt(cell).map((code) => problem(code, at));
  // No other column is a number, even if it consists of digits: anything before them is lost.
  return [problem(isShownLonger(cell) ? "digits_not_kept" : "number_not_text", at)];
}

/** Words next to an amount do not change it. Next to a code, they make it a different code. */
function textDoubt(
  { text, format: { isShown, own } }: FormattedText,
  column: Column,
): ProblemCode[] {
  if (text.trim() === "") return [];
  if (column !== "transaction_amount") return ["digits_not_kept"];
  return isShown && !/\p{N}/u.test(own) ? [] : ["amount_shown_otherwise"];
}

/** The amount is paid as the workbook stores it, so a viewer of the sheet must see that amount. */
function amountDoubt({ written, format }: WrittenNumber): ProblemCode[] {
  if (!format) return [];
  const { hasOwnDigits, isScaled, looksNegative, hasOwnPoint } = format;
  if (hasOwnDigits || isScaled || looksNegative || hasOwnPoint) return ["amount_shown_otherwise"];
  return isRounded(exactText(written) ?? "", format) ? ["amount_shown_rounded"] : [];
}

/**
 * The amount is paid in the currency of its row, so a viewer of the sheet must not see another one.
 */
function foreignDoubt(amount: Cell, currency: string, line: number): Problem[] {
  const sign = foreignSign(signsOf(amount), currency);
  if (sign === undefined) return [];
  const at = { line, column: "transaction_amount", found: textOf(amount, "plain") };
  return [problem("amount_in_other_currency", at, { sign: visible(sign), currency })];
}

function signsOf(cell: Cell): readonly string[] {
  if (cell === null || typeof cell !== "object") return [];
  if ("written" in cell) return cell.format?.signs ?? [];
  return "text" in cell ? cell.format.signs : [];
}

/**
 * Returns whether its format shows digits or letters that the number lacks, such as leading zeros,
 * or hides some of its digits.
 */
function isShownLonger({ written, format }: WrittenNumber): boolean {
  const digits = exactText(written) ?? "";
  if (!format || !/^\d+$/.test(digits)) return false;
  const { hasOwnDigits, hasOwnLetters, isScaled, digitsMin } = format;
  return hasOwnDigits || hasOwnLetters || isScaled || digits.length < digitsMin;
}
