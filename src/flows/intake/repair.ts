import { stringify } from "csv-stringify/sync";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { openFile } from "#intake/file-reader.ts";
import { REJECT_COLUMNS, rejectRecords } from "#intake/rejects-file.ts";
import { type EditedColumns, withEarlierProblems } from "#intake/rejected-row.ts";
import { formulaMarked } from "#intake/text/formula.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";
import { columnsOf, correct, type CorrectDeps } from "#flows/intake/correct.ts";
import type { Corrected } from "#ledger/intake/correct.ts";
import type { Batch } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#base/result.ts";

/** New values for cells of one row, by the names of the batch's columns. */
export interface RowRepair {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

/** The name under which edits are listed next to files of corrected rows. */
const FILE_NAME = "Edited on the dashboard";

/**
 * Reads rows with new values, exactly as `repairRows` would, and stores nothing. Err: a row has
 * neither problems nor warnings, or no such column.
 */
export async function checkRepairs(
  batch: Batch,
  repairs: readonly RowRepair[],
  deps: CorrectDeps,
): Promise<Result<readonly RowVerdict[], readonly Problem[]>> {
  const { facts } = batch;
  const file = await repairedFile(batch, repairs, deps);
  if (!file.ok) return file;
  const { bytes, before } = file.value;
  const edited = editedColumns(repairs);
  const settings = settingsOfBatch(deps.rows, facts.reading);
  const opening = await openFile(inOnePiece(bytes), settings, { isCorrection: true });
  if (!opening.ok) return opening;
  const asInBatch = columnsOf(facts.header, opening.value.facts.header);
  const verdicts: RowVerdict[] = [];
  for await (const chunk of opening.value.rows) {
    for (const row of chunk) {
      const { line } = row;
      verdicts.push(withEarlierProblems(asInBatch(row), before.get(line), facts, edited.get(line)));
    }
  }
  const end = opening.value.end();
  return end.ok ? ok(verdicts) : end;
}

/**
 * Corrects rejected rows, and rows with warnings, with new values. The edits become a file of
 * corrected rows, so they follow its rules: all rows are stored or none, the batch leaves approval,
 * and the old cells are kept. If another person has changed the batch since `batch` was read, the
 * edits are refused, because the other cells of the rows would become what they were.
 */
export async function repairRows(
  batch: Batch,
  repairs: readonly RowRepair[],
  actor: string,
  deps: CorrectDeps,
): Promise<Result<Corrected, readonly Problem[]>> {
  return storeRepairs(batch, repairs, { actor, fileName: FILE_NAME, from: "editable" }, deps);
}

/** Reads rows of a batch with new values, and stores them again. */
export async function storeRepairs(
  batch: Batch,
  repairs: readonly RowRepair[],
  by: { readonly actor: string; readonly fileName: string; readonly from: StoredPlace },
  deps: CorrectDeps,
): Promise<Result<Corrected, readonly Problem[]>> {
  const { actor, fileName, from } = by;
  const file = await repairedFile(batch, repairs, deps, from);
  if (!file.ok) return file;
  const upload = { fileName, open: () => inOnePiece(file.value.bytes), actor };
  const { contentDigest } = batch;
  return correct(batch.id, upload, deps, { from, contentDigest, columns: editedColumns(repairs) });
}

/** Where the rows are stored until they are read again. */
type StoredPlace = "editable" | "left out";

const NOT_THERE = { editable: "line_not_rejected", "left out": "line_not_left_out" } as const;

const editedColumns = (repairs: readonly RowRepair[]): ReadonlyMap<number, EditedColumns> =>
  new Map(repairs.map(({ line, values }) => [line, new Set(Object.keys(values))]));

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Writes the rows with their new values as a file of corrected rows. */
async function repairedFile(
  { id, facts: { header } }: Batch,
  repairs: readonly RowRepair[],
  { ledger, at }: CorrectDeps,
  from: StoredPlace = "editable",
) {
  const lines = repairs.map(({ line }) => line);
  const { findEditableRows, findLeftOutRows } = ledger.intake;
  const before = await (from === "editable" ? findEditableRows : findLeftOutRows)(id, lines);
  const records = rejectRecords(header, "as stored");
  const faults: Problem[] = [];
  const changed = repairs.map(({ line, values }) => {
    const row = before.get(line);
    if (!row) faults.push(problem(NOT_THERE[from], { line, column: "line" }));
    const record = [...records.of({ line, cells: [], problems: [], ...row })];
    for (const [name, value] of Object.entries(values)) {
      const place = records.header.indexOf(formulaMarked(name));
      if (place < 0 || REJECT_COLUMNS.includes(name))
        faults.push(problem("mapped_column_missing", { line, column: name }));
      else record[place] = formulaMarked(value);
    }
    // The same edit may be made again later, and must not be taken for the same file.
    return record.with(records.header.indexOf("hint"), at.toISOString());
  });
  if (faults.length > 0) return err(faults);
  return ok({ bytes: Buffer.from(stringify([records.header, ...changed])), before });
}
