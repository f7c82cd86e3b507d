import { columnOf } from "#intake/workbook/grid.ts";

/** A cell whose value is lost. Lines count from 1, columns from 0. */
export interface LostValue {
  readonly line: number;
  readonly place: number;
  /** The error that the cell shows, or "" if its formula was never calculated. */
  readonly lost: string;
}

/** Matches a cell and its content, up to the next cell or the end of its row. */
const CELL =
  /<(?:[\w.-]+:)?c(\s[^<>]*?)?(\/?)>([^]*?)(?=<(?:[\w.-]+:)?c[\s/>]|<\/(?:[\w.-]+:)?row>|$)/g;
const FORMULA = /<(?:[\w.-]+:)?f[\s/>]/;
const VALUE = /<(?:[\w.-]+:)?(?:v(?:\s[^<>]*)?>[^<]|is[\s>])/;
const SHOWN = /<(?:[\w.-]+:)?v(?:\s[^<>]*)?>([^<]*)/;
const ADDRESS = /[\s:]r=["']([A-Z]{1,3})(\d{1,7})["']/;

/**
 * Returns the cells of a sheet that show an error (#N/A) or a formula that was never calculated.
 * Its reader would treat them as empty, and a lost transaction code would be replaced by a new one.
 * A formula whose result is an empty text is an empty cell.
 * @throws if such a cell has no address.
 */
export function lostValues(sheet: string): readonly LostValue[] {
  if (!/\st=["']e["']/.test(sheet) && !FORMULA.test(sheet)) return [];
  const found: LostValue[] = [];
  for (const [, attributes = "", selfClosed, content = ""] of sheet.matchAll(CELL)) {
    if (selfClosed === "/") continue;
    const isError = /\st=["']e["']/.test(attributes);
    const isText = /\st=["']str["']/.test(attributes);
    if (!isError && (isText || !FORMULA.test(content) || VALUE.test(content))) continue;
    const [, letters, line] = ADDRESS.exec(attributes) ?? [];
    if (letters === undefined) throw new Error("a cell without a value has no address");
    const lost = isError ? (SHOWN.exec(content)?.[1] ?? "").trim() : "";
    found.push({ line: Number(line), place: columnOf(letters) - 1, lost });
  }
  return found;
}
