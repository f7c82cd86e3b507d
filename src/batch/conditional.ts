import { columnOf } from "#batch/grid.ts";
import { memoOf } from "#batch/memo.ts";
import { currencySigns } from "#batch/currency-signs.ts";
import { CODE_CHARS_MAX, formatOf } from "#batch/number-formats.ts";
import { insideOf, piecesOf, tagsOf } from "#batch/tags.ts";

/** A bar or a sign in the place of the number. */
const WITHOUT_VALUE = /\sshowValue\s*=\s*["'](?:0|false)["']/;

/**
 * The areas of a sheet where a number may be shown as another one, or not at all, as long as a condition holds. Whether it
 * does is not looked at.
 */
export function areasShownByCondition(sheet: string, styles: string): readonly string[] {
  if (!sheet.includes("conditionalFormatting")) return [];
  const changing = changingLooks(styles);
  return piecesOf(sheet, "conditionalFormatting").flatMap((rules) => {
    const isChanging =
      WITHOUT_VALUE.test(rules) ||
      [...tagsOf(rules, "cfRule")].some((rule) => changing.has(rule.get("dxfId") ?? ""));
    const [area] = tagsOf(`<rules${rules}`, "rules");
    return isChanging ? [area?.get("sqref") ?? ""] : [];
  });
}

/** The looks that show another number, by their numbers. */
function changingLooks(styles: string): ReadonlySet<string> {
  const isChanging = memoOf(isAnother);
  return new Set(codesOf(styles).flatMap((code, at) => (isChanging(code) ? [String(at)] : [])));
}

/** The number formats of the looks that conditions give, "" where one has none. @throws where one is no spreadsheet's. */
const codesOf = (styles: string): readonly string[] =>
  piecesOf(insideOf(styles, "dxfs"), "dxf").map((look) => {
    const [format] = tagsOf(look, "numFmt");
    const code = format?.get("formatCode") ?? "";
    if (code.length > CODE_CHARS_MAX) throw new Error("a number format is too long");
    return code;
  });

function isAnother(code: string): boolean {
  const { isDate, isScaled, hasOwnDigits, hasOwnPoint, looksNegative } = formatOf(code);
  return isDate || isScaled || hasOwnDigits || hasOwnPoint || looksNegative;
}

const AREA = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/;
/** With more areas than this nobody has looked at each of them, and every cell is in one. */
const AREAS_MAX = 100;

interface Area {
  readonly signs: readonly string[];
  holds(line: number, place: number): boolean;
}

/** The signs of currencies that a cell's number may be shown with as long as a condition holds; places count from 0. */
export function signsByCondition(
  sheet: string,
  styles: string,
): (line: number, place: number) => readonly string[] {
  if (!sheet.includes("conditionalFormatting")) return () => [];
  const signs = codesOf(styles).map(memoOf(currencySigns));
  const areas = piecesOf(sheet, "conditionalFormatting").flatMap((rules) => {
    const found = [...tagsOf(rules, "cfRule")].flatMap(
      (rule) => signs[Number(rule.get("dxfId"))] ?? [],
    );
    const [area] = tagsOf(`<rules${rules}`, "rules");
    return found.length === 0 ? [] : areasOf(area?.get("sqref") ?? "", found);
  });
  if (areas.length > AREAS_MAX) {
    const all = [...new Set(areas.flatMap((area) => area.signs))];
    return () => all;
  }
  return (line, place) => areas.flatMap((area) => (area.holds(line, place) ? area.signs : []));
}

const areasOf = (sqref: string, signs: readonly string[]): readonly Area[] =>
  sqref.split(/\s+/).flatMap((part) => {
    const [, left, top, right = left, bottom = top] = AREA.exec(part) ?? [];
    if (left === undefined || right === undefined) return [];
    const [first, last] = [columnOf(left) - 1, columnOf(right) - 1];
    const holds = (line: number, place: number) =>
      line >= Number(top) && line <= Number(bottom) && place >= first && place <= last;
    return [{ signs, holds }];
  });
