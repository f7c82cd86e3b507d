import { columnOf } from "#intake/workbook/grid.ts";
import { tagsOf } from "#intake/workbook/xml-tags.ts";

/** A cell inside a merged area, in which the content of the area's first cell is shown instead. */
export interface Covered {
  readonly place: number;
  /** The first cell of the area. Lines count from 1, columns from 0. */
  readonly by: { readonly line: number; readonly place: number };
}

interface Area {
  readonly line: number;
  readonly lastLine: number;
  readonly place: number;
  readonly lastPlace: number;
}

const AREA = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;

/**
 * Returns a lookup of the covered cells of a line, which must be called for increasing lines.
 * Columns beyond the last one that is read are left out.
 * @throws if areas overlap, which no spreadsheet writes: searching them could take hours.
 */
export function mergesOf(sheet: string, columnsMax: number): (line: number) => readonly Covered[] {
  const areas = areasOf(sheet)
    .filter(({ place }) => place < columnsMax)
    .toSorted((a, b) => a.line - b.line);
  let next = 0;
  let open: Area[] = [];
  return (line) => {
    open = open.filter(({ lastLine }) => lastLine >= line);
    for (let area = areas[next]; area && area.line <= line; area = areas[next]) {
      next += 1;
      if (area.lastLine >= line) open.push(area);
      if (open.length > columnsMax) throw new Error("merged cells overlap");
    }
    return open.flatMap((by) => {
      const last = Math.min(by.lastPlace, columnsMax - 1);
      const first = by.line === line ? by.place + 1 : by.place;
      return Array.from({ length: last - first + 1 }, (_, at) => ({ place: first + at, by }));
    });
  };
}

const areasOf = (sheet: string): readonly Area[] =>
  [...tagsOf(sheet, "mergeCell")].flatMap((tag) => {
    const [, left = "", top, right = "", bottom] = AREA.exec(tag.get("ref") ?? "") ?? [];
    if (top === undefined) return [];
    const place = columnOf(left) - 1;
    return [{ line: Number(top), lastLine: Number(bottom), place, lastPlace: columnOf(right) - 1 }];
  });
