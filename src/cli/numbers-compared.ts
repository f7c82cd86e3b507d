import { type HeldAsNumber, heldText } from "#batch/held-numbers.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import type { Database } from "#ledger/database.ts";

export const NUMBERS_COMPARED = [
  "--numbers-compared",
  "you compared with papers of your own what a spreadsheet held as a number",
] as const;

/**
 * What a spreadsheet held as numbers in this batch, and somebody has compared with other papers.
 *
 * @throws CliError where nobody says so.
 */
export async function comparedNumbers(
  batchId: string,
  isSaid: boolean,
  database: Database,
): Promise<readonly HeldAsNumber[]> {
  const { notCompared } = await import("#ledger/submission.ts");
  const held = await notCompared(database, batchId);
  if (held.length > 0 && !isSaid) throw notComparedYet(held);
  return held;
}

export const notComparedYet = (held: readonly HeldAsNumber[]): CliError =>
  new CliError(
    EXIT.problems,
    `${heldText(held)} Compare them with your own papers, and say so with --numbers-compared. Nothing was sent.`,
  );
