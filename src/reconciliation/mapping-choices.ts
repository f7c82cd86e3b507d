import { err, ok, type Result } from "#base/result.ts";
import { type AmountStyle, AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import type { StatementStatus } from "#reconciliation/records.ts";
import {
  contradictingWord,
  PAYOUT_SIGNS,
  type PayoutSign,
  STATEMENT_FIELD_NAMES,
  STATEMENT_STATUSES,
  type StatementField,
  type StatementMapping,
} from "#reconciliation/statement-mapping.ts";

/**
 * Parses columns written as "NAME=FIELD" and words written as "WORD=RESULT". Empty texts are
 * ignored. Err: the first text that cannot be read, or gives a known word another result.
 */
export function parseChoices(
  columnTexts: readonly string[],
  wordTexts: readonly string[],
): Result<Pick<StatementMapping, "columns" | "words">, string> {
  const columns: Partial<Record<StatementField, string>> = {};
  for (const text of columnTexts.filter((each) => each !== "")) {
    const [name, value] = halves(text);
    const field = STATEMENT_FIELD_NAMES.find((each) => each === value);
    if (name === "" || !field || columns[field] !== undefined) return err(text);
    columns[field] = name;
  }
  const words: Record<string, StatementStatus> = {};
  for (const text of wordTexts.filter((each) => each !== "")) {
    const [word, value] = halves(text);
    const status = STATEMENT_STATUSES.find((each) => each === value);
    if (word === "" || !status) return err(text);
    words[word.toLowerCase()] = status;
    if (contradictingWord({ words }) !== null) return err(text);
  }
  return ok({ columns, words });
}

function halves(text: string): readonly [string, string] {
  const at = text.lastIndexOf("=");
  return at < 1 ? ["", ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Returns the style of this name. Undefined: there is no such style. */
export const amountStyleOf = (name: string): AmountStyle | undefined =>
  AMOUNT_STYLE_NAMES.find((style) => style === name);

/** Returns the sign of this name. Undefined: there is no such sign. */
export const payoutSignOf = (name: string): PayoutSign | undefined =>
  PAYOUT_SIGNS.find((sign) => sign === name);
