import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";

export type Cells = Readonly<Partial<Record<Column, string>>>;

const PLACES = new Map(COLUMNS.map((column, place) => [column, place]));

/** A row without problems. */
export const INR: Cells = {
  user_id: "U-1",
  currency_code: "INR",
  transaction_amount: "100.00",
  account_name: "Asha Verma",
  bank_account_number: "50100012345678",
  ifsc_code: "HDFC0000001",
  bank_code: "HDFC",
  bank_name: "HDFC Bank",
};

export const cellsOf = (row: Cells): readonly string[] =>
  COLUMNS.map((column) => row[column] ?? "");

/** Reads rows of one file, the first on line 2. */
export function readRows(
  rows: readonly Cells[],
  settings: Partial<RowSettings> = {},
): readonly RowVerdict[] {
  const reader = rowReader(COLUMNS, PLACES, { ...DEFAULT_ROW_SETTINGS, ...settings });
  return rows.map((row, i) => reader(cellsOf(row), i + 2));
}
