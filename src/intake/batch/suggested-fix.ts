import { OTHER_CODE_PAGE } from "#intake/text/mojibake.ts";
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
/** The value as it was read, unless its letters are those of another code page. */
const asRead: Fix = (text) => (OTHER_CODE_PAGE.test(text) ? null : text);
const trimmed: Fix = (text) => text.replaceAll(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, "");

/** The ways in which payrun can correct similar values. */
export const FIX_KINDS = ["capitals", "separators", "trim", "amounts", "letters"] as const;
/** A way in which payrun can correct similar values. */
export type FixKind = (typeof FIX_KINDS)[number];

/** Fixes that keep the meaning of a value, by problem. A person confirms each fix. */
// biome-ignore format: the columns are the point
const FIXES: Readonly<Partial<Record<Problem["code"], readonly [kind: FixKind, fix: Fix]>>> = {
  ifsc_misspelt:        ["capitals", suggestIfsc],
  currency_unknown:     ["capitals", (text) => text.toUpperCase()],
  bad_account_number:   ["separators", withoutHyphens],
  bad_phone_number:     ["separators", withoutSeparators],
  bad_id_number:        ["separators", withoutSeparators],
  bad_branch_code:      ["separators", withoutHyphens],
  control_character:    ["trim", trimmed],
  invisible_character:  ["trim", trimmed],
  amount_separators:    ["amounts", inStyleOfFile],
  amount_groups_of_two: ["amounts", inStyleOfFile],
  encoding_doubtful:    ["letters", asRead],
};

/** Returns the corrected value of a cell. Null: only a person knows it. */
export function suggestFix(
  { code }: Pick<Problem, "code">,
  cell: string,
  context: FixContext,
): { readonly kind: FixKind; readonly value: string } | null {
  const [kind, fix] = FIXES[code] ?? [];
  const value = fix?.(cell.trim(), context) ?? "";
  if (kind === undefined || value === "") return null;
  // A person confirms letters by entering the same value.
  return value === cell && kind !== "letters" ? null : { kind, value };
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
