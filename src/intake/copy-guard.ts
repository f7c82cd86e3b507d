import type { Column } from "#intake/header/columns.ts";
import { startsFormula } from "#intake/text/formula.ts";
import { knownColumn } from "#intake/header/column-names.ts";

/** The column whose values must not be copied into another file. */
const UNIQUE: Column = "transaction_code";

/**
 * Builds the records of a file that serves as the start of another one: the columns that payrun
 * knows, named as in the templates. A transaction code belongs to one payout, so these cells are
 * empty.
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
 * Returns whether a spreadsheet would run a cell of the record as a formula. Marking the cell as
 * text in a CSV would change its value on the way back, and the changed value would be paid. A
 * workbook can mark the cell as text, so such a record needs a workbook.
 */
export const hasFormulaCell = (record: readonly string[]): boolean => record.some(startsFormula);
