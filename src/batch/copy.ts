import type { Column } from "#batch/columns.ts";
import { startsFormula } from "#batch/formula.ts";
import { knownColumn } from "#batch/header.ts";

/** A column that no other file may have the same values in. */
const UNIQUE: Column = "transaction_code";

/**
 * The records of a file to start another one from: the columns that payrun knows, named as the templates name them. A
 * code belongs to one payout, so its cells come empty.
 */
export function copyRecords(header: readonly string[]): {
  readonly header: readonly Column[];
  of(cells: readonly string[]): readonly string[];
} {
  const kept = header.flatMap((name, place) => {
    const column = knownColumn(name);
    return column ? [{ column, place }] : [];
  });
  return {
    header: kept.map(({ column }) => column),
    of: (cells) => kept.map(({ column, place }) => (column === UNIQUE ? "" : (cells[place] ?? ""))),
  };
}

/**
 * Whether a spreadsheet would run a cell of the record as a formula. Marked as text it would come back as another
 * value, and be paid as one; a workbook says of each cell that it is text.
 */
export const isWorkbookOnly = (record: readonly string[]): boolean => record.some(startsFormula);
