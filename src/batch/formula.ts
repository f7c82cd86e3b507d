/** What a spreadsheet runs as a formula when a cell starts with it, full-width forms included (OWASP, CSV injection). */
const FORMULA_START = /^[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/u;

export const startsFormula = (cell: string): boolean => FORMULA_START.test(cell);

/** A cell for a CSV file that somebody may open in a spreadsheet: what would run there is marked as text. */
export const formulaSafe = (cell: string): string => (FORMULA_START.test(cell) ? `'${cell}` : cell);

const MARKED = /^'*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/u;

/** The same for a file that comes back: an apostrophe of the cell's own gets one more, so that it is not taken for the mark. */
export const formulaMarked = (cell: string): string => (MARKED.test(cell) ? `'${cell}` : cell);

/** The cell as it was before `formulaMarked`. */
export const withoutFormulaMark = (cell: string): string =>
  cell.startsWith("'") && MARKED.test(cell.slice(1)) ? cell.slice(1) : cell;
