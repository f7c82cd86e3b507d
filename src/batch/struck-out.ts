import { columnOf } from "#batch/grid.ts";
import { insideOf, numbersOfLooks, piecesOf, tagsOf } from "#batch/tags.ts";

/** Which cells of a sheet are struck out as a whole, by lines from 1 and places from 0. */
export function struckOut(sheet: string, styles: string): (line: number, place: number) => boolean {
  const looks = struckLooks(styles);
  const cells = new Map<number, Set<number>>();
  for (const cell of looks.size === 0 ? [] : tagsOf(sheet, "c")) {
    if (!looks.has(Number(cell.get("s") ?? 0))) continue;
    const [, letters = "", line] = /^([A-Z]+)(\d+)$/.exec(cell.get("r") ?? "") ?? [];
    const places = cells.get(Number(line)) ?? new Set();
    cells.set(Number(line), places.add(columnOf(letters) - 1));
  }
  return (line, place) => cells.get(line)?.has(place) === true;
}

/** The looks of cells whose font has a line through it, by their numbers. */
function struckLooks(styles: string): ReadonlySet<number> {
  const fonts = piecesOf(insideOf(styles, "fonts"), "font").map(isStruck);
  if (!fonts.includes(true)) return new Set();
  return new Set(numbersOfLooks(styles, "fontId").flatMap((font, at) => (fonts[font] ? [at] : [])));
}

function isStruck(font: string): boolean {
  const [line] = tagsOf(font, "strike");
  return line !== undefined && !["0", "false"].includes(line.get("val") ?? "1");
}
