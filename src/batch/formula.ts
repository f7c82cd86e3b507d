/** What a spreadsheet runs as a formula when a cell starts with it, full-width forms included (OWASP, CSV injection). */
const FORMULA_START = /^[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/u;

export const startsFormula = (cell: string): boolean => FORMULA_START.test(cell);

/** A cell for a CSV file that somebody may open in a spreadsheet: what would run there is marked as text. */
export const formulaSafe = (cell: string): string => (FORMULA_START.test(cell) ? `'${cell}` : cell);

/** The cell as it was before `formulaSafe`: for files that come back. */
export const withoutFormulaMark = (cell: string): string =>
  cell.startsWith("'") && startsFormula(cell.slice(1)) ? cell.slice(1) : cell;
