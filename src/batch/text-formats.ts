import { currencySigns } from "#batch/currency-signs.ts";

/** What the format of a cell makes of a text in it. */
export interface TextFormat {
  /** It shows the text, and shows it once. */
  readonly isShown: boolean;
  /** The letters, digits and signs of currencies that it puts beside the text. */
  readonly own: string;
  /** The signs and codes of currencies among them. */
  readonly signs: readonly string[];
}

/** A text that is shown with something that is not its own, or not at all. */
export const isChanged = ({ isShown, own }: Omit<TextFormat, "signs">): boolean =>
  !isShown || own !== "";

const LITERAL = /"([^"]*)"?|[\\!](.?)|_.?|\*(.?)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]/gsu;

/** Reads the code of a format: its fourth section is for texts, or its last one where that has a place for them. */
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
