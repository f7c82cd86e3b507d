import { currencySigns } from "#intake/workbook/currency-signs.ts";

/** The effect of a cell's format on a text. */
export interface TextFormat {
  /** True: it shows the text exactly once. */
  readonly isShown: boolean;
  /** The letters, digits and currency signs that it adds to the text. */
  readonly own: string;
  /** The currency signs and codes among them. */
  readonly signs: readonly string[];
}

/** Returns whether a text is shown with an addition, or not at all. */
export const isChanged = ({ isShown, own }: Omit<TextFormat, "signs">): boolean =>
  !isShown || own !== "";

const LITERAL = /"([^"]*)"?|[\\!](.?)|_.?|\*(.?)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]/gsu;

/**
 * Parses a format code. Its fourth section is for texts, or else its last one if that has a text
 * placeholder.
 */
export function textFormatOf(code: string): TextFormat {
  const sections = code
    .replace(LITERAL, (_, quoted = "", escaped = "", filling = "", sign = "") =>
      `${quoted}${escaped}${filling}${sign}`.replace(/[@;]/g, ""),
    )
    .split(";");
  const last = sections.at(-1) ?? "";
  const section = sections[3] ?? (last.includes("@") ? last : "@");
  const shown = /^\s*general\s*$/i.test(section) ? "@" : section;
  const words = shown.replace(/[^\p{L}\p{M}\p{N}\p{Sc}]+/gu, " ").trim();
  return {
    isShown: shown.split("@").length === 2,
    own: words.replaceAll(" ", ""),
    signs: currencySigns(`"${words}"`),
  };
}
