import { type StoredAsNumber, storedAsNumberText } from "#intake/workbook/numeric-accounts.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { Database } from "#ledger/store/database.ts";

export const NUMBERS_COMPARED = [
  "--numbers-compared",
  "confirm that you have compared the spreadsheet numbers with their source",
] as const;

export const ACKNOWLEDGE_OPTION = [
  "--acknowledge <FINDING=ROWS>",
  "confirm that you have checked a finding that may be a second payment or a wrong account; repeatable (default: prompts on the terminal)",
] as const;

/**
 * Returns the numbers that a spreadsheet stored in this batch instead of text, once a person
 * confirms to have compared them with other documents.
 *
 * @throws CliError if this is not confirmed.
 */
export async function comparedNumbers(
  batchId: string,
  isSaid: boolean,
  database: Database,
): Promise<readonly StoredAsNumber[]> {
  const { findNumbersNotCompared } = await import("#ledger/intake/batch-description.ts");
  const held = await findNumbersNotCompared(database, batchId);
  if (held.length > 0 && !isSaid) throw notComparedYet(held);
  return held;
}

/**
 * Returns the error for values that a spreadsheet stored as numbers and nobody has compared yet.
 */
export const notComparedYet = (held: readonly StoredAsNumber[]): CliError =>
  new CliError(
    EXIT.problems,
    `${storedAsNumberText(held)} Compare them with their source, then add --numbers-compared. No payouts were sent.`,
  );
