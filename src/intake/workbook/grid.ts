/** The last row of a sheet in any spreadsheet program. */
const ROWS_MAX = 1_048_576;
/**
 * Maximum number of cells held in memory, including empty ones in between: 200,000 rows of 50
 * columns.
 */
const CELLS_MAX = 10_000_000;

/**
 * Matches every tag that an XML reader may take for one of these three, also inside a comment. The
 * last group is missing if the attributes are not written as spreadsheets write them: readers may
 * interpret those differently.
 */
const TAG =
  /<([\w.:-]*:)?(sheetData|row|c)(?=[\s/>])((?:[ \t\r\n]+[\w.:-]+=(?:"[^"'<>]*"|'[^"'<>]*'))*)[ \t\r\n]*(\/?>)?/g;
const PLACE = /[\s:]r=["'][^"']*/g;
const ADDRESS = /^([A-Z]{1,3})?([1-9]\d{0,6})$/;

/** Valid prefixes. Some readers accept anything else before a colon, others ignore it. */
const PREFIX = /^(?:[\w.-]+:)?$/;
const INVALID_NAME = "a row or cell in its sheet has an invalid XML name";
const INVALID_ADDRESS = "a row or cell in its sheet has a missing or invalid address";

/**
 * Returns why the grid of this workbook part must not be built. Null: it may be built, or the part
 * is not a sheet. A sheet states the addresses of its cells, and its reader fills every gap between
 * them: two cells can cost 16,000,000,000 (F86).
 */
export function gridProblem(part: Buffer, columnsMax: number): string | null {
  if (!part.includes("sheetData")) return null;
  let grids = 0;
  let unnumbered = 0;
  let reached = 0;
  /** Line of the open row. Null: its first cell will state it. */
  let line: string | null | undefined = null;
  let height = 0;
  let width = 0;
  for (const [, prefix = "", name, attributes = "", end] of part.toString("latin1").matchAll(TAG)) {
    if (!PREFIX.test(prefix)) return INVALID_NAME;
    if (end === undefined) return INVALID_ADDRESS;
    if (name === "sheetData") {
      grids += 1;
      continue;
    }
    const places = attributes.match(PLACE) ?? [];
    if (name === "row" && places.length === 0) {
      unnumbered += 1;
      line = null;
      continue;
    }
    const place = ADDRESS.exec(places[0]?.slice(4) ?? "");
    if (!place || places.length > 1 || (name === "c") !== (place[1] !== undefined))
      return INVALID_ADDRESS;
    if (name === "row") line = place[2];
    line ??= place[2];
    if (line !== place[2]) return INVALID_ADDRESS;
    reached = Math.max(reached, Number(place[2]));
    // An empty cell takes no space: spreadsheets write them for their formats, far beyond the last
    // value.
    if (name === "c" && end === ">") {
      height = reached;
      width = Math.max(width, columnOf(place[1] ?? ""));
    }
  }
  if (grids > 1) return "its sheet contains more than one table of cells";
  if (reached + unnumbered > ROWS_MAX) {
    return `its sheet extends to row ${reached + unnumbered}, but a sheet has at most ${ROWS_MAX} rows`;
  }
  if (width > columnsMax) {
    return `its sheet extends to column ${width}, but at most ${columnsMax} columns are read`;
  }
  const cells = (height + unnumbered) * width;
  return cells > CELLS_MAX
    ? `its sheet extends over ${cells} cells, but at most ${CELLS_MAX} are read`
    : null;
}

/** Returns the number of a column from its letters, with A as 1. */
export const columnOf = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
