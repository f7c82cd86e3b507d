import { windows1252Bytes } from "#intake/text/csv-encoding.ts";
import type { Severity } from "#intake/text/problems.ts";
import { hasMixedScripts } from "#payout/rules/names.ts";

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
/** The start of a multi-byte UTF-8 character when read as Windows-1252. */
const BEGINS = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/**
 * Characters that no name contains. They result where a genuine name has É or Í before Š, ’ or ®.
 */
const PHONETIC =
  /[\u0080-\u009f\u0180-\u019f\u01a2-\u01ae\u01b1-\u0217\u021c-\u02ff\u0700-\u08c7]|\p{Script=Inherited}/u;

/**
 * Returns the intended name if a program has read UTF-8 as Windows-1252, such as "João" for
 * "JoÃ£o". Null: the name is correct. A genuine name that happens to match, such as one that ends
 * in Ò’, would decode to letters of several scripts.
 */
export function repairMojibake(name: string): string | null {
  const bytes = BEGINS.test(name) ? windows1252Bytes(name) : null;
  if (bytes === null) return null;
  try {
    const meant = UTF_8.decode(bytes).normalize("NFC");
    return PHONETIC.test(meant) || hasMixedScripts(meant) ? null : meant;
  } catch {
    return null;
  }
}

/**
 * Windows-1252 characters next to a letter. In the code pages of DOS and old Macintosh computers,
 * they are letters: Pe–a, Concei‡Æo.
 */
export const OTHER_CODE_PAGE = /\p{L}[‡‹‰ˆ‚„ƒ™¡¢£¤¥]|[‡‹‰ˆ‚„ƒ¢¤¥]\p{L}|\p{L}[–—]\p{Ll}/u;

/** A question mark between letters, or two question marks: no name contains those. */
const CERTAIN = /\p{L}\?\p{L}|\?{2}/u;

/**
 * Returns how certain it is that a ? replaces a letter that an encoding lacks. Some company names
 * contain a ?. Null: there is none.
 */
export function lostLettersSeverity(name: string): Severity | null {
  if (!name.includes("?")) return null;
  return CERTAIN.test(name) ? "error" : "warning";
}

/**
 * Sequences that no Burmese name in Unicode contains: a sign without a letter before it, ေ or ျ
 * after a vowel, and a letter stacked on nothing. Zawgyi, the encoding before Unicode, uses the
 * same numbers for its own letters, in the order in which they are drawn.
 */
const ZAWGYI =
  /(?<![\u1000-\u109f\uaa60-\uaa7f])[\u102b-\u103e]|[\u102b-\u1030\u1032\u1036-\u1038][\u1031\u103b]|\u1039(?![\u1000-\u102a\u103f])/;

/**
 * Returns whether a name is in Zawgyi. With a Unicode font, as banks use, it reads as a different
 * name.
 */
export const isZawgyi = (name: string): boolean => ZAWGYI.test(name);
