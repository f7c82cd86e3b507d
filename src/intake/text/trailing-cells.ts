import { type Problem, problem } from "#intake/text/problems.ts";

/**
 * Removes the empty cells that delimiters at the end of a line add. Spreadsheets write them, and
 * they carry no meaning.
 */
export function withoutEmptyTail(cells: readonly string[], width: number): readonly string[] {
  if (cells.length <= width) return cells;
  for (let i = width; i < cells.length; i++) {
    if ((cells[i] ?? "").trim() !== "") return cells;
  }
  return cells.slice(0, width);
}

/** Characters that an aborted transfer or a DOS program leaves after the last row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const PADDING = /[\0\x1a]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const NOT_PADDING = /[^\0\x1a\s]/;

/**
 * Returns why the cells cannot be read as a row of this header. Nothing else is validated, because
 * the columns may have shifted.
 */
export function shapeProblems(
  cells: readonly string[],
  header: readonly string[],
  line: number,
): readonly Problem[] {
  const [first = ""] = cells;
  if (cells.length === 1 && PADDING.test(first) && !NOT_PADDING.test(first)) {
    return [problem("row_is_padding", { line, found: first })];
  }
  if (cells.length === header.length && cells.every((cell, at) => cell.trim() === header[at])) {
    return [problem("row_is_header", { line })];
  }
  const problems: Problem[] = [];
  if (cells.length !== header.length) {
    const code = cells.length < header.length ? "row_too_short" : "row_too_long";
    problems.push(problem(code, { line }, { count: cells.length, columns: header.length }));
  }
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] ?? "";
    if (!cell.includes("\0")) continue;
    problems.push(problem("nul_character", { line, column: header[i] ?? `${i + 1}`, found: cell }));
  }
  return problems;
}

/**
 * Symbol that replaces NUL where a row is stored for display. Database texts and most programs
 * cannot hold a NUL.
 */
export const NUL_SHOWN = "\u2400";

/** Returns a row in a form that can be stored. */
export function storable(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => (cell.includes("\0") ? cell.replaceAll("\0", NUL_SHOWN) : cell));
}

/**
 * Returns unused cells that span several lines: two stray quotes turn the rows between them into
 * one cell.
 */
export function swallowedLines(
  cells: readonly string[],
  header: readonly string[],
  ignored: readonly number[],
  line: number,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const place of ignored) {
    const count = (cells[place] ?? "").split(/\r\n|\r|\n/).length;
    if (count === 1) continue;
    const column = header[place] || `${place + 1}`;
    problems.push(problem("lines_in_ignored_cell", { line, column }, { count }));
  }
  return problems;
}
