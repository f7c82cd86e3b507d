/**
 * Characters with which a cell is run as a formula by a spreadsheet, including full-width forms
 * (OWASP, CSV injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/u;

/** Returns whether a spreadsheet would run this cell as a formula. */
export const startsFormula = (cell: string): boolean => FORMULA_START.test(cell);

/**
 * Returns a cell for a CSV file that may be opened in a spreadsheet. A possible formula is marked
 * as text.
 */
export const formulaSafe = (cell: string): string => (FORMULA_START.test(cell) ? `'${cell}` : cell);

const MARKED = /^'*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/u;

/**
 * Like `formulaSafe`, for a file that is uploaded again: if the cell starts with an apostrophe of
 * its own, another one is added, so it is not mistaken for the mark.
 */
export const formulaMarked = (cell: string): string => (MARKED.test(cell) ? `'${cell}` : cell);

/** Reverses `formulaMarked`. */
export const withoutFormulaMark = (cell: string): string =>
  cell.startsWith("'") && MARKED.test(cell.slice(1)) ? cell.slice(1) : cell;
