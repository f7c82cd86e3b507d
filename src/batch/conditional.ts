import { formatOf } from "#batch/number-formats.ts";
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
  const changing = piecesOf(insideOf(styles, "dxfs"), "dxf").flatMap((look, at) => {
    const [format] = tagsOf(look, "numFmt");
    return format && isAnother(format.get("formatCode") ?? "") ? [String(at)] : [];
  });
  return new Set(changing);
}

function isAnother(code: string): boolean {
  const { isDate, isScaled, hasOwnDigits, hasOwnPoint, looksNegative } = formatOf(code);
  return isDate || isScaled || hasOwnDigits || hasOwnPoint || looksNegative;
}
