import { currencySigns } from "#intake/workbook/currency-signs.ts";
import { memoize } from "#intake/workbook/memoize.ts";
import { contentOf, cellFormatNumbers, tagsOf } from "#intake/workbook/xml-tags.ts";
import { isChanged, type TextFormat, textFormatOf } from "#intake/workbook/text-formats.ts";

/** The effect of a cell's format on a number or a text. */
export interface NumberFormat {
  /** It shows a date or a time. */
  readonly isDate: boolean;
  /** It shows a whole number with at least this many digits, padded with zeros. */
  readonly digitsMin: number;
  /** It shows digits that are not part of the number, in any position. */
  readonly hasOwnDigits: boolean;
  /** It adds words to the number, other than a currency sign. */
  readonly hasOwnLetters: boolean;
  /** It shows a different number, such as a percentage or thousands, or no number. */
  readonly isScaled: boolean;
  /** It adds a minus sign or brackets to a positive number. */
  readonly looksNegative: boolean;
  /** It adds a point or a comma of its own in a decimal position. */
  readonly hasOwnPoint: boolean;
  /** Maximum number of decimals that it shows. */
  readonly decimalsMax: number;
  /** Maximum number of digits that it shows, including those before the decimal point. */
  readonly digitsMax: number;
  /**
   * Its width in characters, including the decimal point. A wider number is shown with fewer
   * digits.
   */
  readonly charsMax: number;
  /** Currency signs and codes that it adds to the number. */
  readonly signs: readonly string[];
  readonly text: TextFormat;
}

/** Stands for "no limit": more digits than any number has. */
const NO_LIMIT = 99;

/**
 * The General format shows 12345678901.25 as 12345678901, and anything wider in scientific
 * notation: 1.23457E+11.
 */
const GENERAL_CHARS = 11;
const GENERAL_DIGITS = 6;

/**
 * Returns whether a number may be displayed differently from its stored form, or with a currency.
 */
export const mayLookDifferent = (format: NumberFormat, written = ""): boolean =>
  format.isDate ||
  format.digitsMin > 1 ||
  format.hasOwnDigits ||
  format.hasOwnLetters ||
  format.isScaled ||
  format.looksNegative ||
  format.hasOwnPoint ||
  format.signs.length > 0 ||
  format.digitsMax < NO_LIMIT ||
  mayBeWider(written, format.charsMax) ||
  decimalsOf(written) > format.decimalsMax;

/** In scientific notation the displayed number is wider than its stored form. */
const mayBeWider = (written: string, charsMax: number): boolean =>
  charsMax < NO_LIMIT && written.length > (/e/i.test(written) ? GENERAL_DIGITS : charsMax);

/** Returns whether a text may be displayed differently from its stored form. */
export const changesTexts = ({ text }: NumberFormat): boolean => isChanged(text);

const decimalsOf = (written: string): number =>
  /e/i.test(written) ? NO_LIMIT : (written.split(".")[1]?.length ?? 0);

/** Returns whether some digits of the number are not shown. */
export function isRounded(exact: string, format: NumberFormat): boolean {
  const digits = exact.replace(/^[-0.]+|\.|0+$/g, "").length;
  return (
    decimalsOf(exact) > format.decimalsMax ||
    digits > format.digitsMax ||
    (exact.length > format.charsMax && digits > GENERAL_DIGITS)
  );
}

/** Built-in format numbers (ECMA-376, part 1, 18.8.30) of dates, in any language. */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];

/**
 * Built-in format numbers of amounts. Each viewer sees them in the currency of their own settings,
 * whatever code the workbook gives them.
 */
const BUILT_IN_AMOUNTS: ReadonlySet<number> = new Set([5, 6, 7, 8, 37, 38, 39, 40, 41, 42, 43, 44]);

/** Built-in formats of numbers, with or without a currency sign, except General and text. */
const BUILT_IN_CODES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    "0": [1, 59],
    "0.00": [2, 60],
    "#,##0": [3, 5, 6, 37, 38, 41, 42, 61],
    "#,##0.00": [4, 7, 8, 39, 40, 43, 44, 62],
    "0%": [9, 67],
    "0.00%": [10, 68],
    "0.00E+00": [11],
    "# ?/?": [12, 13, 69, 70],
    "##0.0E+0": [48],
  }).flatMap(([code, ids]) => ids.map((id) => [id, code] as const)),
);

/** Maximum length of a format code. Spreadsheets write less than half of that. */
export const CODE_CHARS_MAX = 1_000;
/** Maximum number of formats. Excel writes at most 250. */
const CODES_MAX = 10_000;

/**
 * Returns the number formats of a workbook's cells, in the order in which cells refer to them.
 * @throws if one is not a valid spreadsheet format.
 */
export function formatsOf(styles: string): readonly NumberFormat[] {
  const codes = new Map<number, string>();
  let count = 0;
  for (const format of tagsOf(contentOf(styles, "numFmts"), "numFmt")) {
    const code = format.get("formatCode") ?? "";
    count += 1;
    if (code.length > CODE_CHARS_MAX) throw new Error("a number format is too long");
    if (count > CODES_MAX) throw new Error("there are too many number formats");
    codes.set(Number(format.get("numFmtId")), code);
  }
  const formatFor = memoize((id: number): NumberFormat => {
    const format = formatOf(codes.get(id) ?? BUILT_IN_CODES.get(id) ?? "General");
    const isBuiltIn = BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to);
    return {
      ...format,
      isDate: format.isDate || isBuiltIn,
      signs: BUILT_IN_AMOUNTS.has(id) ? [] : format.signs,
    };
  });
  return cellFormatNumbers(styles, "numFmtId").map(formatFor);
}

const LITERAL = /"([^"]*)"?|[\\!](.?)|[_*].?|\[([^\]]*)\]/gsu;
const ELAPSED = /^(?:h+|m+|s+)$/i;
const CONDITION = /^[<>=]/;
/** Matches a condition that no positive number meets. */
const NEVER_MET = /^(?:=|<=?)\s*(?:-.*|0+(?:\.0+)?\s*)$/;
const PLACEHOLDER = /[0#?]/;
/** The denominator of a fraction is not a digit of the number, but does not change its value. */
const PARTS = /\/\s*\d+/g;
const EXPONENT = /e[+-]([0#?]+)/i;

/** Parses a format code, such as #,##0.00;[Red]-#,##0.00 or yyyy-mm-dd. */
export function formatOf(code: string): NumberFormat {
  let isConditional = false;
  const bare = (code || "General").replace(
    LITERAL,
    (_, quoted = "", escaped = "", bracket = "") => {
      if (ELAPSED.test(bracket)) return bracket;
      if (CONDITION.test(bracket)) isConditional = true;
      if (NEVER_MET.test(bracket)) return "!";
      // A currency sign, such as [$kr-406].
      const sign = /^\$([^-]*)/.exec(bracket)?.[1] ?? "";
      return literal(`${quoted}${escaped}`) + literal(sign).replace(/[·†]/g, "");
    },
  );
  const sections = bare.split(";");
  // Without conditions, the first section is for positive numbers, such as accounts and amounts,
  // and the fourth is for texts.
  const used = isConditional
    ? sections.slice(0, 3).filter((section) => !section.includes("!"))
    : sections.slice(0, 1);
  return {
    isDate: sections.some(isDate),
    digitsMin: Math.max(0, ...used.map(digitsMin)),
    hasOwnDigits: used.some(
      (section) => SHOWN.test(section) && /[1-9]/.test(section.replace(PARTS, "")),
    ),
    hasOwnLetters: used.some(hasOwnLetters),
    isScaled: used.some(isScaled),
    looksNegative: used.some(looksNegative),
    hasOwnPoint: used.some(hasOwnPoint),
    decimalsMax: Math.min(NO_LIMIT, ...used.map(decimalsMax)),
    digitsMax: Math.min(NO_LIMIT, ...used.map(digitsMax)),
    charsMax: used.some((section) => GENERAL.test(section)) ? GENERAL_CHARS : NO_LIMIT,
    signs: currencySigns(code),
    text: textFormatOf(code),
  };
}

const OWN_POINT = "·";
const OWN_MINUS = "−";
const OWN_LETTER = "†";

/**
 * Reduces a literal to what matters: its digits, none of which may look like a placeholder; a sign
 * between digits; a minus sign or bracket, unless it is among words; and whether there are words.
 */
const literal = (text: string): string =>
  text
    .replace(/[-()]/g, /\p{L}/u.test(text) ? "" : OWN_MINUS)
    .replace(/\p{L}+/gu, OWN_LETTER)
    .replace(/[^\d.,−†]/g, "")
    .replaceAll("0", "1")
    .replace(/[.,]+/g, OWN_POINT);

const looksNegative = (section: string): boolean =>
  PLACEHOLDER.test(section) && /^[^0#?]*[-−(]|[-−)][^0#?]*$/.test(section);

/** A number in a text format is shown as in General. */
const GENERAL = /@|general/i;
const hasOwnLetters = (section: string): boolean =>
  SHOWN.test(section) && /[†\p{L}]/u.test(section.replace(EXPONENT, "").replace(/general/i, ""));

/** Matches a placeholder for the number. */
const SHOWN = /[0#?@]|general/i;

function digitsMin(section: string): number {
  if (/[%/e]/i.test(section)) return 0;
  const whole = section.split(".")[0] ?? "";
  return whole.replace(/^[^0]*/, "").match(/[0#?]/g)?.length ?? 0;
}

/** A comma after the last digit placeholder divides by one thousand. */
const isInThousands = (number: string): boolean =>
  number.split(".").some((part) => {
    const last = Math.max(...["0", "#", "?"].map((place) => part.lastIndexOf(place)));
    return last >= 0 && part.includes(",", last);
  });

function isScaled(section: string): boolean {
  const number = section.replace(EXPONENT, "");
  const isNothing = !SHOWN.test(section) && !isDate(section);
  return isNothing || number.includes("%") || isInThousands(number);
}

/**
 * Thousands, and hundreds before them, may be grouped by literals of the format, as in India:
 * ##\,##\,##0.00.
 */
function hasOwnPoint(section: string): boolean {
  const whole = section.replace(/^[^0#?]*/, "").split(".")[0] ?? "";
  const last = whole.match(/·[0#?]+/g)?.at(-1);
  return last !== undefined && last.length !== "·000".length;
}

function decimalsMax(section: string): number {
  if (!PLACEHOLDER.test(section) || EXPONENT.test(section)) return NO_LIMIT;
  if (section.includes("/")) return 0;
  return section.split(".")[1]?.match(/[0#?]/g)?.length ?? 0;
}

/** In scientific notation at least one digit precedes the decimal point. */
function digitsMax(section: string): number {
  if (!EXPONENT.test(section)) return NO_LIMIT;
  const decimals = section.replace(EXPONENT, "").split(".")[1] ?? "";
  return 1 + (decimals.match(/[0#?]/g)?.length ?? 0);
}

/** Letters without a digit placeholder. Their meaning depends on the language. */
const isDate = (section: string): boolean => {
  const rest = section.replace(/s[.,]0+/gi, "s");
  return !/general|@/i.test(rest) && !PLACEHOLDER.test(rest) && /\p{L}/u.test(rest);
};
