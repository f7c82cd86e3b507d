import { HIDDEN } from "#batch/hidden.ts";

const LENGTH_MAX = 80;
/** Here controls too, and every blank but the one of the keyboard. */
const UNSEEN = new RegExp(`${HIDDEN.source}|\\p{Cc}|(?! )\\p{Zs}`, "gu");

/**
 * A text as it can be shown on a terminal or a page: what cannot be seen becomes `\u{200b}`, and a long
 * text is cut in the middle, because the end of a number tells as much as its start.
 */
export function visible(text: string): string {
  const short =
    text.length <= LENGTH_MAX ? text : `${text.slice(0, 48)}…${text.slice(-(LENGTH_MAX - 49))}`;
  return short.replace(UNSEEN, drawnChar);
}

const drawnChar = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** Controls, which move what a terminal writes; what turns the direction of writing around; halves of a character. */
const FORGING = /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Whether a text could pass itself off as other lines than its own where it is printed. */
export const forges = (text: string): boolean => text.search(FORGING) >= 0;

/** A text of somebody else, whole and in one line, as it may be printed among words of ours. */
export const drawn = (text: string): string => text.replace(FORGING, drawnChar);
