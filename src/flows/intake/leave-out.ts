import type { Batch, Ledger } from "#ledger/ledger.ts";
import { type LeavingOut, RowsStay } from "#ledger/intake/leaving/leave-rows-out.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { Corrected } from "#ledger/intake/correct.ts";
import type { CorrectDeps } from "#flows/intake/correct.ts";
import { storeRepairs } from "#flows/intake/repair.ts";
import { err, ok, type Result } from "#base/result.ts";

/** The name under which rows that were put back are listed next to files of corrected rows. */
const FILE_NAME = "Rows put back";

/** Leaves rows out of a batch, either all or none. Err: the rows that cannot be left out. */
export async function leaveOut(
  order: Parameters<Ledger["intake"]["leaveRowsOut"]>[0],
  ledger: Ledger,
): Promise<Result<LeavingOut, readonly Problem[]>> {
  await ledger.integrity.verify();
  try {
    return ok(await ledger.transaction((transaction) => transaction.intake.leaveRowsOut(order)));
  } catch (error) {
    if (error instanceof RowsStay)
      return err(error.lines.map((line) => problem("line_stays", { line, column: "line" })));
    throw error;
  }
}

/**
 * Puts rows back that were left out of a batch. They are validated again, and a valid row gets a
 * transaction code as when its file was uploaded.
 */
export async function putBack(
  batch: Batch,
  lines: readonly number[],
  actor: string,
  deps: CorrectDeps,
): Promise<Result<Corrected, readonly Problem[]>> {
  const repairs = [...new Set(lines)].map((line) => ({ line, values: {} }));
  return storeRepairs(batch, repairs, { actor, fileName: FILE_NAME, from: "left out" }, deps);
}
