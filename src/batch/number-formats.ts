import { insideOf, tagsOf } from "#batch/tags.ts";

/** What the format of a cell makes of a number in it. */
export interface NumberFormat {
  /** It shows a day or a time. */
  readonly isDate: boolean;
  /** It shows a whole number with at least as many digits, zeros where the number has none. */
  readonly digitsMin: number;
  /** It shows digits that are not of the number, in whatever place. */
  readonly hasOwnDigits: boolean;
}

/** Of the formats that a workbook names only by a number (ECMA-376, part 1, 18.8.30), those of dates in whatever language. */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];

/** The number formats of a workbook's cells, in the order in which cells name them. */
export function formatsOf(styles: string): readonly NumberFormat[] {
  const codes = new Map<number, string>();
  for (const format of tagsOf(insideOf(styles, "numFmts"), "numFmt")) {
    codes.set(Number(format.get("numFmtId")), format.get("formatCode") ?? "");
  }
  const bases = [...tagsOf(insideOf(styles, "cellStyleXfs"), "xf")];
  return [...tagsOf(insideOf(styles, "cellXfs"), "xf")].map((cell) => {
    const base = bases[Number(cell.get("xfId") ?? 0)];
    const id = Number(cell.get("numFmtId") ?? base?.get("numFmtId") ?? 0);
    const format = formatOf(codes.get(id) ?? "General");
    const isBuiltIn = BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to);
    return { ...format, isDate: format.isDate || isBuiltIn };
  });
}

const LITERAL = /"([^"]*)"?|\\(.?)|[_*].?|\[([^\]]*)\]/gsu;
const ELAPSED = /^(?:h+|m+|s+)$/i;
const CONDITIONAL = /\[[<>=]/;
const PLACEHOLDER = /[0#?]/;
/** The number of a fraction's parts is not the number's own, and yet says nothing else. */
const PARTS = /\/\s*\d+/g;

/** Reads the code of a format, such as #,##0.00;[Red]-#,##0.00 or yyyy-mm-dd. */
export function formatOf(code: string): NumberFormat {
  const bare = code.replace(LITERAL, (_, quoted = "", escaped = "", bracket = "") =>
    // Of a text that stands for itself only its digits are of interest, and none may look like a placeholder.
    ELAPSED.test(bracket) ? bracket : `${quoted}${escaped}`.replace(/\D/g, "").replaceAll("0", "1"),
  );
  const sections = bare.split(";");
  // Without conditions the first one is for what is above zero, as accounts and amounts are.
  const used = CONDITIONAL.test(code) ? sections : sections.slice(0, 1);
  return {
    isDate: sections.some(isDate),
    digitsMin: Math.max(...used.map(digitsMin)),
    hasOwnDigits: used.some(
      (section) => SHOWN.test(section) && /[1-9]/.test(section.replace(PARTS, "")),
    ),
  };
}

/** It has a place for the number. */
const SHOWN = /[0#?@]|general/i;

function digitsMin(section: string): number {
  if (/[%/e]/i.test(section)) return 0;
  const whole = section.split(".")[0] ?? "";
  return whole.replace(/^[^0]*/, "").match(/[0#?]/g)?.length ?? 0;
}

/** Letters, and no place for a digit of the number: what they stand for is a matter of the language. */
const isDate = (section: string): boolean => {
  const rest = section.replace(/s[.,]0+/gi, "s");
  return !/general|@/i.test(rest) && !PLACEHOLDER.test(rest) && /\p{L}/u.test(rest);
};
