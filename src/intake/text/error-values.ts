import { NULL_TEXT } from "#payout/rules/layout-limits.ts";
import type { ProblemCode } from "#intake/text/problems.ts";

/**
 * Matches the error values of a spreadsheet in any language: #N/A, #REF!, #NAME?, #DIV/0!, #WERT!;
 * and #### in a column that is too narrow.
 */
const ERROR_VALUE = /^#(?:N\/[AD]|NV|GETTING_DATA|#{2,}|\p{L}+(?:\/0)?[!?])$/iu;

/** Matches what databases and programs write for a missing value. */
const MISSING = /^(?:null|<null>|\(null\)|\\N|none|nan|n\/a|undefined|\[object object\])$/i;

/**
 * The replacement character for a letter that a program could not read. A text that contains it is
 * not the original.
 */
export const REPLACEMENT_CHARACTER = "\ufffd";

/**
 * Returns why a text that looks like a value is not one. Null: it may be a value. The exact word
 * null is a separate reason: databases export it, and the gateway's documents use it for an empty
 * field (docs/reference/gateway.md 2.2).
 */
export function missingValueCode(
  text: string,
): Extract<ProblemCode, "null_word" | "error_value" | "missing_word" | "lost_character"> | null {
  if (text === NULL_TEXT) return "null_word";
  if (text.startsWith("#") && ERROR_VALUE.test(text)) return "error_value";
  if (MISSING.test(text)) return "missing_word";
  return text.includes(REPLACEMENT_CHARACTER) ? "lost_character" : null;
}
