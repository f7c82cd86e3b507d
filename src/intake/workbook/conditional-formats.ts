import { columnOf } from "#intake/workbook/grid.ts";
import { memoize } from "#intake/workbook/memoize.ts";
import { currencySigns } from "#intake/workbook/currency-signs.ts";
import { CODE_CHARS_MAX, formatOf } from "#intake/workbook/number-formats.ts";
import { contentOf, piecesOf, tagsOf } from "#intake/workbook/xml-tags.ts";

/** A data bar or an icon that is shown instead of the number. */
const WITHOUT_VALUE = /\sshowValue\s*=\s*["'](?:0|false)["']/;

/**
 * Returns the areas of a sheet in which a conditional format may show a different number, or none.
 * The conditions themselves are not evaluated.
 */
export function areasShownByCondition(sheet: string, styles: string): readonly string[] {
  if (!sheet.includes("conditionalFormatting")) return [];
  const changing = changingFormats(styles);
  return piecesOf(sheet, "conditionalFormatting").flatMap((rules) => {
    const isChanging =
      WITHOUT_VALUE.test(rules) ||
      [...tagsOf(rules, "cfRule")].some((rule) => changing.has(rule.get("dxfId") ?? ""));
    const [area] = tagsOf(`<rules${rules}`, "rules");
    return isChanging ? [area?.get("sqref") ?? ""] : [];
  });
}

/** Returns the indexes of the differential formats that change the number shown. */
function changingFormats(styles: string): ReadonlySet<string> {
  const isChanging = memoize(isAnother);
  return new Set(codesOf(styles).flatMap((code, at) => (isChanging(code) ? [String(at)] : [])));
}

/**
 * Returns the number formats of the conditional formats, "" for those without one.
 * @throws if one is not a valid spreadsheet format.
 */
const codesOf = (styles: string): readonly string[] =>
  piecesOf(contentOf(styles, "dxfs"), "dxf").map((look) => {
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
/**
 * Above this number of areas, they are not examined one by one: the signs of all areas count for
 * every cell.
 */
const AREAS_MAX = 100;

interface Area {
  readonly signs: readonly string[];
  contains(line: number, place: number): boolean;
}

/**
 * Returns the currency signs that a conditional format may add to a cell's number. Column positions
 * count from 0.
 */
export function conditionalSigns(
  sheet: string,
  styles: string,
): (line: number, place: number) => readonly string[] {
  if (!sheet.includes("conditionalFormatting")) return () => [];
  const signs = codesOf(styles).map(memoize(currencySigns));
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
  return (line, place) => areas.flatMap((area) => (area.contains(line, place) ? area.signs : []));
}

const areasOf = (sqref: string, signs: readonly string[]): readonly Area[] =>
  sqref.split(/\s+/).flatMap((part) => {
    const [, left, top, right = left, bottom = top] = AREA.exec(part) ?? [];
    if (left === undefined || right === undefined) return [];
    const [first, last] = [columnOf(left) - 1, columnOf(right) - 1];
    const contains = (line: number, place: number) =>
      line >= Number(top) && line <= Number(bottom) && place >= first && place <= last;
    return [{ signs, contains }];
  });
