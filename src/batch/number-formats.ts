import { currencySigns } from "#batch/currency-signs.ts";
import { memoOf } from "#batch/memo.ts";
import { insideOf, numbersOfLooks, tagsOf } from "#batch/tags.ts";
import { isChanged, type TextFormat, textFormatOf } from "#batch/text-formats.ts";

/** What the format of a cell makes of a number in it, and of a text. */
export interface NumberFormat {
  /** It shows a day or a time. */
  readonly isDate: boolean;
  /** It shows a whole number with at least as many digits, zeros where the number has none. */
  readonly digitsMin: number;
  /** It shows digits that are not of the number, in whatever place. */
  readonly hasOwnDigits: boolean;
  /** It puts words beside the number, other than the sign of a currency. */
  readonly hasOwnLetters: boolean;
  /** It shows another number, such as hundredths or thousands, or nothing of the number. */
  readonly isScaled: boolean;
  /** It puts a minus or brackets around a number above zero. */
  readonly looksNegative: boolean;
  /** It sets a point or a comma of its own where those of decimals stand. */
  readonly hasOwnPoint: boolean;
  /** It shows so many decimals at most. */
  readonly decimalsMax: number;
  /** It shows so many digits at most, those before the point included. */
  readonly digitsMax: number;
  /** It is as wide as that, the point included, and shows a number that is wider in fewer digits. */
  readonly charsMax: number;
  /** The signs and codes of currencies that it puts beside the number. */
  readonly signs: readonly string[];
  readonly text: TextFormat;
}

/** More digits than a number has. */
const ALL = 99;

/** General shows 12345678901.25 as 12345678901, and what is wider still in signs of science: 1.23457E+11. */
const GENERAL_CHARS = 11;
const GENERAL_DIGITS = 6;

/** Whether a number may be shown otherwise than it is written, or with a currency. */
export const mayDiffer = (format: NumberFormat, written = ""): boolean =>
  format.isDate ||
  format.digitsMin > 1 ||
  format.hasOwnDigits ||
  format.hasOwnLetters ||
  format.isScaled ||
  format.looksNegative ||
  format.hasOwnPoint ||
  format.signs.length > 0 ||
  format.digitsMax < ALL ||
  mayBeWider(written, format.charsMax) ||
  decimalsOf(written) > format.decimalsMax;

/** In signs of science a number is wider than it is written. */
const mayBeWider = (written: string, charsMax: number): boolean =>
  charsMax < ALL && written.length > (/e/i.test(written) ? GENERAL_DIGITS : charsMax);

/** Whether a text may be shown otherwise than it is written. */
export const changesTexts = ({ text }: NumberFormat): boolean => isChanged(text);

const decimalsOf = (written: string): number =>
  /e/i.test(written) ? ALL : (written.split(".")[1]?.length ?? 0);

/** Whether some of its digits are not shown. */
export function isRounded(exact: string, format: NumberFormat): boolean {
  const digits = exact.replace(/^[-0.]+|\.|0+$/g, "").length;
  return (
    decimalsOf(exact) > format.decimalsMax ||
    digits > format.digitsMax ||
    (exact.length > format.charsMax && digits > GENERAL_DIGITS)
  );
}

/** Of the formats that a workbook names only by a number (ECMA-376, part 1, 18.8.30), those of dates in whatever language. */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];

/** ... and those of amounts, which are shown in the currency of whoever looks, whatever code the workbook gives them, */
const BUILT_IN_AMOUNTS: ReadonlySet<number> = new Set([5, 6, 7, 8, 37, 38, 39, 40, 41, 42, 43, 44]);

/** and those of numbers, but for General and text; with the signs of a currency or without. */
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

/** No spreadsheet writes a longer code, nor half as long a one. */
export const CODE_CHARS_MAX = 1_000;
/** Excel writes 250 of them at most. */
const CODES_MAX = 10_000;

/** The number formats of a workbook's cells, in the order in which cells name them. @throws where one is no spreadsheet's. */
export function formatsOf(styles: string): readonly NumberFormat[] {
  const codes = new Map<number, string>();
  let count = 0;
  for (const format of tagsOf(insideOf(styles, "numFmts"), "numFmt")) {
    const code = format.get("formatCode") ?? "";
    count += 1;
    if (code.length > CODE_CHARS_MAX) throw new Error("a number format is too long");
    if (count > CODES_MAX) throw new Error("there are too many number formats");
    codes.set(Number(format.get("numFmtId")), code);
  }
  const formatFor = memoOf((id: number): NumberFormat => {
    const format = formatOf(codes.get(id) ?? BUILT_IN_CODES.get(id) ?? "General");
    const isBuiltIn = BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to);
    return {
      ...format,
      isDate: format.isDate || isBuiltIn,
      signs: BUILT_IN_AMOUNTS.has(id) ? [] : format.signs,
    };
  });
  return numbersOfLooks(styles, "numFmtId").map(formatFor);
}

const LITERAL = /"([^"]*)"?|[\\!](.?)|[_*].?|\[([^\]]*)\]/gsu;
const ELAPSED = /^(?:h+|m+|s+)$/i;
const CONDITION = /^[<>=]/;
/** A condition that no number above zero meets. */
const NEVER = /^(?:=|<=?)\s*(?:-.*|0+(?:\.0+)?\s*)$/;
const PLACEHOLDER = /[0#?]/;
/** The number of a fraction's parts is not the number's own, and yet says nothing else. */
const PARTS = /\/\s*\d+/g;
const EXPONENT = /e[+-]([0#?]+)/i;

/** Reads the code of a format, such as #,##0.00;[Red]-#,##0.00 or yyyy-mm-dd. */
export function formatOf(code: string): NumberFormat {
  let isConditional = false;
  const bare = (code || "General").replace(
    LITERAL,
    (_, quoted = "", escaped = "", bracket = "") => {
      if (ELAPSED.test(bracket)) return bracket;
      if (CONDITION.test(bracket)) isConditional = true;
      if (NEVER.test(bracket)) return "!";
      // The sign of a currency: [$kr-406].
      const sign = /^\$([^-]*)/.exec(bracket)?.[1] ?? "";
      return literal(`${quoted}${escaped}`) + literal(sign).replace(/[·†]/g, "");
    },
  );
  const sections = bare.split(";");
  // Without conditions the first one is for what is above zero, as accounts and amounts are; the fourth is for texts.
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
    decimalsMax: Math.min(ALL, ...used.map(decimalsMax)),
    digitsMax: Math.min(ALL, ...used.map(digitsMax)),
    charsMax: used.some((section) => GENERAL.test(section)) ? GENERAL_CHARS : ALL,
    signs: currencySigns(code),
    text: textFormatOf(code),
  };
}

const OWN_POINT = "·";
const OWN_MINUS = "−";
const OWN_LETTER = "†";

/**
 * Of a text that stands for itself only its digits are of interest, and none may look like a placeholder; a sign between
 * digits; a minus or a bracket, unless they are among words; and that there are words.
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

/** A number in a format of texts is shown as in General. */
const GENERAL = /@|general/i;
const hasOwnLetters = (section: string): boolean =>
  SHOWN.test(section) && /[†\p{L}]/u.test(section.replace(EXPONENT, "").replace(/general/i, ""));

/** It has a place for the number. */
const SHOWN = /[0#?@]|general/i;

function digitsMin(section: string): number {
  if (/[%/e]/i.test(section)) return 0;
  const whole = section.split(".")[0] ?? "";
  return whole.replace(/^[^0]*/, "").match(/[0#?]/g)?.length ?? 0;
}

/** A comma behind the last place of a digit stands for a thousand. */
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

/** Groups of thousands, and of hundreds before them, may be parted by signs of the format: ##\,##\,##0.00 in India. */
function hasOwnPoint(section: string): boolean {
  const whole = section.replace(/^[^0#?]*/, "").split(".")[0] ?? "";
  const last = whole.match(/·[0#?]+/g)?.at(-1);
  return last !== undefined && last.length !== "·000".length;
}

function decimalsMax(section: string): number {
  if (!PLACEHOLDER.test(section) || EXPONENT.test(section)) return ALL;
  if (section.includes("/")) return 0;
  return section.split(".")[1]?.match(/[0#?]/g)?.length ?? 0;
}

/** In signs of science: one digit before the point at least. */
function digitsMax(section: string): number {
  if (!EXPONENT.test(section)) return ALL;
  const decimals = section.replace(EXPONENT, "").split(".")[1] ?? "";
  return 1 + (decimals.match(/[0#?]/g)?.length ?? 0);
}

/** Letters, and no place for a digit of the number: what they stand for is a matter of the language. */
const isDate = (section: string): boolean => {
  const rest = section.replace(/s[.,]0+/gi, "s");
  return !/general|@/i.test(rest) && !PLACEHOLDER.test(rest) && /\p{L}/u.test(rest);
};
