import { windows1252Bytes } from "#batch/encoding.ts";
import type { Severity } from "#batch/problems.ts";
import { hasMixedScripts } from "#payout/names.ts";

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
/** How a character of two bytes and more begins in UTF-8, read as Windows-1252. */
const BEGINS = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** What no name is written in. It comes out where É or Í stands before Š, ’ or ® in a name of its own. */
const PHONETIC =
  /[\u0080-\u009f\u0180-\u019f\u01a2-\u01ae\u01b1-\u0217\u021c-\u02ff\u0700-\u08c7]|\p{Script=Inherited}/u;

/**
 * The name that is meant where a program has read UTF-8 as Windows-1252, such as "João" for "JoÃ£o"; null where the name is
 * what it is. A name of its own that reads so by chance, such as one that ends in Ò’, comes out in letters of several scripts.
 */
export function meantName(name: string): string | null {
  const bytes = BEGINS.test(name) ? windows1252Bytes(name) : null;
  if (bytes === null) return null;
  try {
    const meant = UTF_8.decode(bytes).normalize("NFC");
    return PHONETIC.test(meant) || hasMixedScripts(meant) ? null : meant;
  } catch {
    return null;
  }
}

/** A question mark among letters, and two of them: no name has those. */
const CERTAIN = /\p{L}\?\p{L}|\?{2}/u;

/** How sure it is that a ? stands for a letter that an encoding does not have: some companies have one. Null: there is none. */
export function lostLetters(name: string): Severity | null {
  if (!name.includes("?")) return null;
  return CERTAIN.test(name) ? "error" : "warning";
}

/**
 * What no Burmese name in Unicode has: a sign without a letter before it, ေ or ျ behind a vowel, and a letter that is to be
 * stacked on none. Zawgyi, the encoding before Unicode, writes its own letters with the same numbers, in the order in which
 * they are drawn.
 */
const ZAWGYI =
  /(?<![\u1000-\u109f\uaa60-\uaa7f])[\u102b-\u103e]|[\u102b-\u1030\u1032\u1036-\u1038][\u1031\u103b]|\u1039(?![\u1000-\u102a\u103f])/;

/** Whether a name is in Zawgyi: with a font of Unicode, as banks have it, it is another one. */
export const isZawgyi = (name: string): boolean => ZAWGYI.test(name);
