import { REPLACEMENT_CHARACTER } from "#intake/text/error-values.ts";
import { AMOUNT_STYLES, type AmountStyle } from "#money/parse.ts";
import type { Cell } from "./sheet.ts";

/** Returns the text of a cell, as a CSV file would have it. */
export function textOf(cell: Cell, style: AmountStyle): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if ("date" in cell) return cell.date;
  if ("text" in cell) return cell.text;
  // The marker is refused in every cell that is read, also when the row is uploaded again.
  if ("lost" in cell) return cell.lost || REPLACEMENT_CHARACTER;
  return (exactText(cell.written) ?? cell.written).replace(".", AMOUNT_STYLES[style].point);
}

const WRITTEN = /^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i;

/** Below this value, 15 digits include at least three decimals. */
const CALCULATED_MAX = 1e12;

/**
 * Returns the exact decimal text of a number. A spreadsheet shows 15 digits and stores the nearest
 * binary fraction; a calculated value may be a different fraction with the same digits. Null: a
 * whole number that has, or had, more than 15 digits, the last of which became zeros; or not a
 * number.
 */
export function exactText(written: string): string | null {
  // Other programs do not read 0x1F as a number.
  if (!WRITTEN.test(written)) return null;
  const value = Number(written);
  const kept = value.toPrecision(15);
  const isCalculated = !Number.isInteger(value) && Math.abs(value) < CALCULATED_MAX;
  if ((Number(kept) !== value && !isCalculated) || kept.includes("e")) return null;
  return kept.includes(".") ? kept.replace(/\.?0+$/, "") : kept;
}
