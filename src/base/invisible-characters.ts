import { HIDDEN } from "#base/hidden-characters.ts";

const LENGTH_MAX = 80;
/** Includes control characters, and every space except the plain one. */
const UNSEEN = new RegExp(`${HIDDEN.source}|\\p{Cc}|(?! )\\p{Zs}`, "gu");

/**
 * Makes a text displayable on a terminal or a page: invisible characters become `\u{200b}`, and a
 * long text is truncated in the middle, because the end of a number matters as much as its start.
 */
export function visible(text: string): string {
  const short =
    text.length <= LENGTH_MAX ? text : `${text.slice(0, 48)}…${text.slice(-(LENGTH_MAX - 49))}`;
  return short.replace(UNSEEN, printableChar);
}

const printableChar = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Control characters, which move a terminal's cursor; characters that change the writing direction;
 * lone surrogates.
 */
const FORGING = /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns whether a printed text could imitate lines other than its own. */
export const canForgeLines = (text: string): boolean => text.search(FORGING) >= 0;

/** Makes a foreign text, complete and on one line, safe to print within our own text. */
export const printable = (text: string): string => text.replace(FORGING, printableChar);
