import type { ProblemCode } from "#batch/problems.ts";

/**
 * What a spreadsheet shows in place of a result, in any of its languages: #N/A, #REF!, #NAME?, #DIV/0!, #WERT!; and
 * #### in a column that is too narrow.
 */
const ERROR_VALUE = /^#(?:N\/[AD]|NV|GETTING_DATA|#{2,}|\p{L}+(?:\/0)?[!?])$/iu;

/** What databases and programs write for a value that they do not have. */
const MISSING = /^(?:null|<null>|\(null\)|\\N|none|nan|n\/a|undefined|\[object object\])$/i;

/** A letter that another program could not read: a text with it is not what somebody wrote. */
export const LOST = "\ufffd";

/**
 * Why a text that looks like a value is none; null where it may be one. The exact word null stands apart: databases
 * export it, and the gateway's documents write it for an empty field (docs/gateway.md 2.2).
 */
export function noValueOf(
  text: string,
): Extract<ProblemCode, "null_word" | "error_value" | "missing_word" | "lost_character"> | null {
  if (text === "null") return "null_word";
  if (text.startsWith("#") && ERROR_VALUE.test(text)) return "error_value";
  if (MISSING.test(text)) return "missing_word";
  return text.includes(LOST) ? "lost_character" : null;
}
