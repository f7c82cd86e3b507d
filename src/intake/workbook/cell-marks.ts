import { columnOf } from "#intake/workbook/grid.ts";
import {
  changesTexts,
  mayLookDifferent,
  type NumberFormat,
} from "#intake/workbook/number-formats.ts";
import { type Attributes, tagsOf } from "#intake/workbook/xml-tags.ts";

/** The properties of a sheet's cells other than their values. */
export interface Marks {
  /** Returns the format of a cell whose number or text is not shown as it is stored. */
  formatAt(line: number, place: number): NumberFormat | undefined;
  isRowHidden(line: number): boolean;
  isColumnHidden(place: number): boolean;
}

const COLUMNS_MAX = 16_384;
const HIDDEN = /[\s:](?:hidden\s*=\s*["'](?:1|true)["']|(?:ht|width)\s*=\s*["']0)/;
/** Returns whether a row or column is hidden, or too low or narrow to be visible. */
const isHidden = (tag: Attributes, size: "ht" | "width") =>
  ["1", "true"].includes(tag.get("hidden") ?? "") || Number(tag.get(size) ?? 1) < 1;

/**
 * Reads the marks of a sheet. Columns count from 0, lines from 1. The addresses of its cells are
 * those that grid.ts accepts.
 */
export function marksOf(sheet: string, formats: readonly NumberFormat[]): Marks {
  const formatted = formattedCells(sheet, formats);
  const rows = new Set<number>();
  const columns: (readonly [number, number])[] = [];
  if (HIDDEN.test(sheet)) {
    let isRowHidden = false;
    for (const tag of tagsOf(sheet, "(?:row|c)")) {
      // A row without a number gets its number from its cells. Without those it is empty.
      const [, letters, line] = /^([A-Z]*)(\d+)$/.exec(tag.get("r") ?? "") ?? [];
      if (!letters) isRowHidden = isHidden(tag, "ht");
      if (isRowHidden && line !== undefined) rows.add(Number(line));
    }
    for (const column of tagsOf(sheet, "col")) {
      if (!isHidden(column, "width")) continue;
      columns.push([Number(column.get("min")), Number(column.get("max"))]);
    }
  }
  return {
    formatAt: (line, place) => formatted.get(line * COLUMNS_MAX + place),
    isRowHidden: (line) => rows.has(line),
    isColumnHidden: (place) => columns.some(([min, max]) => place + 1 >= min && place + 1 <= max),
  };
}

const TEXTS: ReadonlySet<string> = new Set(["s", "str", "inlineStr"]);

function formattedCells(
  sheet: string,
  formats: readonly NumberFormat[],
): ReadonlyMap<number, NumberFormat> {
  const cells = new Map<number, NumberFormat>();
  if (!formats.some((format) => changes(format) || changesTexts(format))) return cells;
  for (const cell of tagsOf(sheet, "c")) {
    const format = formats[Number(cell.get("s") ?? 0)];
    if (!format) continue;
    const kind = cell.get("t") ?? "n";
    if (!(TEXTS.has(kind) ? changesTexts(format) : kind === "n" && changes(format))) continue;
    const [, letters = "", line] = /^([A-Z]+)(\d+)$/.exec(cell.get("r") ?? "") ?? [];
    cells.set(Number(line) * COLUMNS_MAX + columnOf(letters) - 1, format);
  }
  return cells;
}

/** Returns whether the format changes at least some numbers, such as one with many decimals. */
const changes = (format: NumberFormat): boolean => mayLookDifferent(format, "1E-9");
