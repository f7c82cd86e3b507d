import { type Problem, problem } from "#batch/problems.ts";

/** Delimiters at the end of a line add empty cells; spreadsheets write them, and they say nothing. */
export function withoutEmptyTail(cells: readonly string[], width: number): readonly string[] {
  if (cells.length <= width) return cells;
  for (let i = width; i < cells.length; i++) {
    if ((cells[i] ?? "").trim() !== "") return cells;
  }
  return cells.slice(0, width);
}

/** What makes the cells unreadable as this header's row. Nothing else is looked at: columns may have shifted. */
export function shapeProblems(
  cells: readonly string[],
  header: readonly string[],
  line: number,
): readonly Problem[] {
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
export function storable(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => (cell.includes("\0") ? cell.replaceAll("\0", "\u2400") : cell));
}
