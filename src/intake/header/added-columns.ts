import type { Column } from "#intake/header/columns.ts";

/**
 * Columns that a file lacks. payrun adds them in front of the file's own, with the same value in
 * every row: the currency of all rows, and empty columns that the currency requires, so that their
 * values can be entered on the file page or in the file of rejected rows.
 */
export interface AddedColumns {
  readonly names: readonly Column[];
  readonly cells: readonly string[];
}

export const NO_ADDED_COLUMNS: AddedColumns = { names: [], cells: [] };

/**
 * Returns the currency that the columns of a file prove: that of its IFSC column, or the only one
 * in which the account can pay. Null: none.
 */
export function provenCurrency(
  columns: ReadonlySet<string | null>,
  available: readonly string[],
): string | null {
  if (available.length === 1) return available[0] ?? null;
  return columns.has("ifsc_code") && available.includes("INR") ? "INR" : null;
}
