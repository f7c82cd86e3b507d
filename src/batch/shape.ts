import { type Problem, problem } from "#batch/problems.ts";

/** Delimiters at the end of a line add empty cells; spreadsheets write them, and they say nothing. */
export function withoutEmptyTail(cells: readonly string[], width: number): readonly string[] {
  if (cells.length <= width) return cells;
  for (let i = width; i < cells.length; i++) {
    if ((cells[i] ?? "").trim() !== "") return cells;
  }
  return cells.slice(0, width);
}

/** What a cut transfer, or a program of DOS, leaves behind the last row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PADDING = /[\0\x1a]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BESIDE_PADDING = /[^\0\x1a\s]/;

/** What makes the cells unreadable as this header's row. Nothing else is looked at: columns may have shifted. */
export function shapeProblems(
  cells: readonly string[],
  header: readonly string[],
  line: number,
): readonly Problem[] {
  const [first = ""] = cells;
  if (cells.length === 1 && PADDING.test(first) && !BESIDE_PADDING.test(first)) {
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

/** No database text and few programs hold a NUL; its picture stands for it where a row is kept to be shown. */
export const NUL_SHOWN = "\u2400";

/** A row as it can be kept. */
export function storable(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => (cell.includes("\0") ? cell.replaceAll("\0", NUL_SHOWN) : cell));
}

/** Cells that nobody reads and that go over several lines: two stray quotes make one cell of the rows between them. */
export function swallowed(
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
