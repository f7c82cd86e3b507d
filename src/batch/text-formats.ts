/** What the format of a cell makes of a text in it. */
export interface TextFormat {
  /** It shows the text, and shows it once. */
  readonly isShown: boolean;
  /** The letters and digits that it puts beside the text. */
  readonly own: string;
}

/** A text that is shown with something that is not its own, or not at all. */
export const isChanged = ({ isShown, own }: TextFormat): boolean => !isShown || own !== "";

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
  return { isShown: shown.split("@").length === 2, own: shown.replace(/[^\p{L}\p{N}]/gu, "") };
}
