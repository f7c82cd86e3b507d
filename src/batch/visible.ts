const LENGTH_MAX = 80;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]|(?! )\p{Zs}/gu;

/**
 * A text as it can be shown on a terminal or a page: what cannot be seen becomes `\u{200b}`, and a long
 * text is cut in the middle, because the end of a number tells as much as its start.
 */
export function visible(text: string): string {
  const short =
    text.length <= LENGTH_MAX ? text : `${text.slice(0, 48)}…${text.slice(-(LENGTH_MAX - 49))}`;
  return short.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
