import type { Problem } from "#intake/text/problems.ts";
import type { AmountUnit } from "#money/currency.ts";
import { formatMoney } from "#money/format.ts";
import { AMOUNT_STYLE_NAMES, AMOUNT_STYLES, type AmountStyle, minorInStyle } from "#money/parse.ts";
import { suggestIfsc } from "#payout/rules/ifsc.ts";

/** How the file of the cell was read. */
interface FixContext {
  readonly style: AmountStyle;
  /** The unit of the row's currency. Undefined: the currency is unknown. */
  readonly unit: AmountUnit | undefined;
}

type Fix = (text: string, context: FixContext) => string | null;

/** A point or comma may separate decimals, or two numbers in one cell. */
const withoutHyphens: Fix = (text) => text.replaceAll(/[\s-]/gu, "");
const withoutSeparators: Fix = (text) => text.replaceAll(/[\s.,-]/gu, "");
const trimmed: Fix = (text) => text.replaceAll(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, "");

/** Fixes that keep the meaning of a value, by problem. A person confirms each fix. */
const FIXES: Readonly<Partial<Record<Problem["code"], Fix>>> = {
  ifsc_misspelt: suggestIfsc,
  bad_account_number: withoutHyphens,
  bad_phone_number: withoutSeparators,
  bad_id_number: withoutSeparators,
  bad_branch_code: withoutHyphens,
  control_character: trimmed,
  invisible_character: trimmed,
  currency_unknown: (text) => text.toUpperCase(),
  amount_separators: inStyleOfFile,
  amount_groups_of_two: inStyleOfFile,
};

/** Returns the corrected value of a cell. Null: only a person knows it. */
export function suggestFix(
  { code }: Pick<Problem, "code">,
  cell: string,
  context: FixContext,
): string | null {
  const fixed = FIXES[code]?.(cell.trim(), context) ?? null;
  return fixed === null || fixed === "" || fixed === cell ? null : fixed;
}

/** Writes an amount in the format of the file, if all other formats that can read it agree. */
function inStyleOfFile(text: string, { style, unit }: FixContext): string | null {
  if (!unit) return null;
  const minors = AMOUNT_STYLE_NAMES.flatMap((name) => minorInStyle(text, unit, name) ?? []);
  const [minor] = minors;
  if (minor === undefined || new Set(minors).size > 1) return null;
  const { currency, minorDigits } = unit;
  return formatMoney({ currency, minor, minorDigits }).replace(".", AMOUNT_STYLES[style].point);
}
