import { openFile } from "#intake/file-reader.ts";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { type EditedColumns, withEarlierProblems } from "#intake/rejected-row.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { BrokenFile, digestOf, type Upload } from "#flows/intake/ingest.ts";
import { storeRows } from "#flows/intake/store-rows.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import type { Corrected } from "#ledger/intake/correct.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import type { RowStore } from "#ledger/intake/row-store.ts";
import type { TakenRows } from "#ledger/intake/warned-rows.ts";
import { err, ok, type Result } from "#base/result.ts";

/** The parts that a correction needs. */
export interface CorrectDeps {
  readonly ledger: Ledger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly at: Date;
}

/** Edits of the rows of a batch. */
interface Edits {
  readonly from: TakenRows;
  /** Content digest of the batch whose rows were edited. It must not have changed since. */
  readonly contentDigest: string;
  /** The edited columns by line. */
  readonly columns: ReadonlyMap<number, EditedColumns>;
}

/** Maximum number of refused lines to list. More of them would add no information. */
const REFUSED_LISTED_MAX = 1_000;

/**
 * Adds corrected rows to the batch from which they were rejected, either all or none. Returns an
 * Err for a file that cannot be read, or that holds a row which was not rejected: accepted rows
 * cannot be changed this way.
 *
 * @param edits the rows that a person has edited in place. Accepted rows with warnings are then
 * also replaced: they must stay valid, or the whole correction is refused.
 */
export async function correct(
  batchId: string,
  { open, fileName, actor, ...upload }: Upload,
  { ledger, keyring, rows, at }: CorrectDeps,
  edits: Edits | null = null,
): Promise<Result<Corrected, readonly Problem[]>> {
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) return ok({ kind: "not_found" });
  // Rows added to a frozen ledger put the batch in quarantine.
  await ledger.integrity.verify();
  const digest = upload.digest ?? (await digestOf(open()));
  const opening = await openFile(open(), settingsOfBatch(rows, batch.facts.reading), {
    isCorrection: true,
    sender: actor,
  });
  if (!opening.ok) return opening;
  const reading = opening.value;
  const arranged = columnsOf(batch.facts.header, reading.facts.header);
  const asInBatch = (row: RowVerdict) => codedAsInFile(arranged(row), batch.facts);
  const refused: Problem[] = [];

  const fill = async (store: RowStore) => {
    for await (const chunk of reading.rows) {
      const lines = chunk.map(({ line }) => line);
      const { taken, strangers } = await store.takeBack(lines, edits?.from ?? "rejected");
      for (const line of strangers.slice(0, REFUSED_LISTED_MAX - refused.length)) {
        refused.push(problem("line_not_rejected", { line, column: "line" }));
      }
      if (refused.length > 0) continue;
      const again = chunk.map((row) =>
        withEarlierProblems(
          asInBatch(row),
          taken.get(row.line),
          batch.facts,
          edits?.columns.get(row.line),
        ),
      );
      await storeRows(again, store, { keyring, looksFor: "every code" });
    }
    const end = reading.end();
    if (!end.ok) throw new BrokenFile(end.error);
    if (end.value.digest !== digest) throw new Error("the file changed while it was being read");
    const problems = [...refused, ...store.newlyInvalid];
    if (problems.length > 0) throw new BrokenFile(problems);
  };

  const edited = edits?.contentDigest ?? null;
  const putsBack = edits?.from === "left out";
  const correction = { batchId, digest, fileName, actor, at, edited, putsBack };
  try {
    return ok(
      await ledger.transaction((transaction) => transaction.intake.correctBatch(correction, fill)),
    );
  } catch (error) {
    if (error instanceof BrokenFile) return err(error.problems);
    throw error;
  }
}

/** A row keeps its code: it does not depend on the columns that payrun added to the file. */
function codedAsInFile(row: RowVerdict, { header, reading }: Batch["facts"]): RowVerdict {
  const added = reading?.added ?? 0;
  if (added === 0 || row.kind === "rejected" || row.cells.length !== header.length) return row;
  return { ...row, codedCells: row.cells.slice(added) };
}

/**
 * Arranges the cells of a row in the column order of the batch's original file, so that its report
 * shows one table. A row whose cells may have shifted keeps their order, with a number of cells
 * that differs from the file's columns, so that no cell looks as if it were in the right place.
 */
export function columnsOf(
  wanted: readonly string[],
  given: readonly string[],
): (row: RowVerdict) => RowVerdict {
  const places = wanted.map((name) => given.indexOf(name));
  return (row) => {
    const { cells } = row;
    if (cells.length === given.length) {
      return { ...row, cells: places.map((place) => cells[place] ?? "") };
    }
    return { ...row, cells: cells.length === wanted.length ? [...cells, ""] : cells };
  };
}
