import { createHash } from "node:crypto";
import {
  type FileReading,
  restoreOriginalRecord,
  notesOf,
  type ReadingOptions,
  warningsOf,
} from "#intake/file-reader.ts";
import {
  amountsQuestion,
  askAbout,
  findCurrencies,
  interpretationOf,
  tallyFor,
} from "#intake/file-interpretation.ts";
import { type AddedColumns, NO_ADDED_COLUMNS } from "#intake/header/added-columns.ts";
import { availableCurrencies } from "#intake/row-plan.ts";
import { type ReadColumns, readColumns } from "#intake/header/column-mapping.ts";
import { LOST_VALUE_CODES, withoutProblems, withProblems } from "#intake/rejected-row.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { isWholeHeader, TITLE_LINES_MAX } from "#intake/header.ts";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { type RowSettings } from "#intake/row-settings.ts";
import { doubtFinder } from "#intake/cell-doubts.ts";
import { textOf } from "#intake/workbook/cell-text.ts";
import {
  type Cell,
  isBlank,
  isLost,
  rowsIn,
  type Sheet,
  type SheetRow,
  tooLarge,
} from "#intake/workbook/sheet.ts";
import {
  type SheetTask,
  readSheetInThread,
  type ThreadLimits,
} from "#intake/workbook/sheet-reader.ts";
import { err, ok, type Result } from "#base/result.ts";
import { AMOUNT_STYLES, type AmountStyle } from "#money/parse.ts";

/**
 * Opens the first sheet of an XLSX file as a file of payouts, with the same rows and problems as a
 * CSV file. It also reports where a spreadsheet has converted text into a number or a date.
 */
export async function openWorkbook(
  source: AsyncIterable<Uint8Array>,
  settings: RowSettings,
  { limits = DEFAULT_FILE_LIMITS, isCorrection = false, sender = "", columns }: ReadingOptions,
  threadLimits?: ThreadLimits,
): Promise<Result<FileReading, readonly Problem[]>> {
  const open = () => wholeFile(source, limits.columnsMax);
  const read = await readSheetInThread(sender, open, threadLimits);
  if (!read.ok) return err([read.error]);
  const { sheet, digest } = read.value;
  const available = availableCurrencies(settings);
  const head = headOf(sheet, limits.columnsMax, { isCorrection, columns, available });
  if (!head.ok) return head;
  const currencies = isCorrection
    ? { found: [], added: NO_ADDED_COLUMNS }
    : await findCurrencies(rowsOfChunks(sheet.chunks.slice(0, 1)), head.value, settings, (codes) =>
        rowsNaming(codes, sheet),
      );
  const { added } = currencies;
  const { names, notes, question } = head.value;
  const facts = {
    encoding: "XLSX",
    delimiter: ",",
    header: [...added.names, ...names],
    ownHeader: namesOf(sheet.header),
    reading: interpretationOf(settings, head.value, added),
    notes,
  } as const;
  const toRead = { head: head.value, digest, settings, added };
  const reading = { facts, ...readRows(sheet, toRead, limits.rowsMax) };
  if (!question) return ok(reading);
  return err(await askAbout({ ...head.value, question }, currencies, settings, reading));
}

/** Returns the texts of the rows in these chunks. */
const rowsOfChunks = (chunks: Sheet["chunks"]): readonly (readonly string[])[] =>
  chunks
    .flatMap((chunk) => rowsIn(chunk))
    .map(({ cells }) => cells.map((cell) => textOf(cell, "plain")));

/** Returns the rows of the chunks that contain one of these currency codes. */
async function* rowsNaming(codes: readonly string[], { chunks }: Sheet) {
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (codes.some((code) => bytes.includes(code))) yield rowsOfChunks([chunk]);
  }
}

interface Head extends ReadColumns {
  /** Place of the line number in a file of rejected rows; null in other files. */
  readonly linePlace: number | null;
}

/** Finds the columns of a sheet. Err: every problem of its header. */
function headOf(
  sheet: Sheet,
  columnsMax: number,
  {
    isCorrection,
    columns,
    available,
  }: {
    readonly isCorrection: boolean;
    readonly columns: ReadingOptions["columns"];
    readonly available: readonly string[];
  },
): Result<Head, readonly Problem[]> {
  const names = namesOf(sheet.header);
  if (names.length === 0) return err([problem("file_empty")]);
  const misplaced = names.some((name) => knownColumn(name)) ? null : misplacedHeader(sheet);
  if (misplaced) return err([misplaced]);
  const nameless = sheet.header.findIndex(isLost);
  if (nameless >= 0) {
    const values = { position: nameless + 1 };
    return err([problem("header_without_value", { line: sheet.headerLine }, values)]);
  }
  if (names.length > columnsMax) {
    const values = { count: names.length, limit: columnsMax };
    return err([problem("columns_too_many", { line: sheet.headerLine }, values)]);
  }
  const read = readColumns(names, sheet.headerLine, columns, available);
  // With several sheets, report which one was read: in a Numbers workbook the first may be a
  // summary.
  if (!read.ok) return err([...read.error, ...sheet.remarks]);
  const linePlace = isCorrection ? names.indexOf("line") : null;
  if (linePlace === -1) return err([problem("line_column_missing")]);
  const notes = [...notesOf(read.value.notes, isCorrection), ...sheet.remarks];
  return ok({ ...read.value, linePlace, notes });
}

interface SheetToRead {
  readonly head: Head;
  readonly digest: string;
  readonly settings: RowSettings;
  readonly added: AddedColumns;
}

function readRows(
  sheet: Sheet,
  { head: { names, places, linePlace, notes, currency }, digest, settings, added }: SheetToRead,
  rowsMax: number,
): Pick<FileReading, "rows" | "end"> {
  const tally = tallyFor(settings);
  const readRow = rowReader(names, places, settings, tally, added);
  const amountPlace = places.get("transaction_amount") ?? -1;
  const columnAt = new Map([...places].map(([column, place]) => [place, column]));
  const doubtsOf = doubtFinder(places, columnAt, settings, currency);
  let rows = 0;
  let rejected = 0;
  let warnings = 0;
  let broken: Problem | null = null;

  /** A formula outside the payouts, such as one that was filled down too far. */
  const isNobodys = (cell: Cell, place: number) => isLost(cell) && !columnAt.has(place);

  const judge = (read: SheetRow): Result<RowVerdict, Problem> => {
    const { line: here, cells } = read;
    const width = Math.max(names.length, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
    const texts = Array.from({ length: width }, (_, place) =>
      textOf(cells[place] ?? null, settings.amountStyle),
    );
    const record: CsvRecord = { cells: texts, line: here };
    const row = linePlace === null ? ok(record) : restoreOriginalRecord(record, linePlace);
    if (!row.ok) return row;
    const { cells: own, line } = row.value;
    const amount = isNumber(cells[amountPlace] ?? null) ? "number" : "text";
    const { found, merged } = doubtsOf(read, texts, line);
    const lost = found.filter(({ code }) => LOST_VALUE_CODES.has(code)).map(({ column }) => column);
    const verdict = withProblems(withoutProblems(readRow(own, line, "cells", amount), lost), [
      ...found,
      ...merged,
    ]);
    rows += 1;
    if (verdict.kind === "rejected") rejected += 1;
    warnings += warningsOf(verdict);
    return ok(linePlace === null ? withCodedCells(verdict, cells, settings.amountStyle) : verdict);
  };

  async function* walk() {
    for (const chunk of sheet.chunks) {
      const verdicts: RowVerdict[] = [];
      for (const read of rowsIn(chunk)) {
        if (read.cells.every((cell, place) => isBlank(cell) || isNobodys(cell, place))) continue;
        const verdict = judge(read);
        if (!verdict.ok) {
          broken = verdict.error;
          return;
        }
        verdicts.push(verdict.value);
      }
      yield verdicts;
    }
    if (rows === 0) broken = problem("file_without_rows");
    else if (rows > rowsMax) broken = problem("rows_too_many", {}, { limit: rowsMax });
  }
  return {
    rows: walk(),
    end() {
      const problem = broken ?? amountsQuestion(tally);
      return problem ? err([problem]) : ok({ digest, rows, rejected, warnings, notes });
    },
  };
}

/** The code of a row must not depend on the format in which its numbers are shown. */
function withCodedCells(verdict: RowVerdict, cells: readonly Cell[], style: AmountStyle) {
  if (verdict.kind === "rejected" || AMOUNT_STYLES[style].point === ".") return verdict;
  const { codedCells: own = verdict.cells } = verdict;
  const codedCells = own.map((_, place) => textOf(cells[place] ?? null, "plain"));
  return { ...verdict, codedCells };
}

const isNumber = (cell: Cell): boolean =>
  cell !== null && typeof cell === "object" && "written" in cell;

/** Reads a workbook into one buffer for the reading thread, with its digest. */
export async function wholeFile(
  source: AsyncIterable<Uint8Array>,
  columnsMax: number,
): Promise<Result<SheetTask & { readonly digest: string }, Problem>> {
  const pieces: Uint8Array[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    // Compressed data is rarely larger than its content.
    if (bytes > UNPACKED_BYTES_MAX) return err(tooLarge());
    hash.update(piece);
    pieces.push(piece);
  }
  return ok({ file: joined(pieces, bytes), columnsMax, digest: hash.digest("hex") });
}

/** Copies the pieces into one separate buffer, which can be transferred to a thread. */
function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}

/** Returns the names in the header of a sheet, without blanks at the end. */
export function namesOf(cells: readonly Cell[]): readonly string[] {
  const names = cells.map((cell) => textOf(cell, "plain").trim());
  return names.slice(0, names.findLastIndex((name) => name !== "") + 1);
}

/** Finds a header below a title, as in a CSV file (header.ts). Null: there is none. */
function misplacedHeader({ headerLine: line, chunks }: Sheet): Problem | null {
  const below = chunks.slice(0, 1).flatMap((chunk) => rowsIn(chunk));
  const header = below.find(
    (row) => row.line <= line + TITLE_LINES_MAX && isWholeHeader(namesOf(row.cells)),
  );
  if (!header) return null;
  const found = namesOf(header.cells).join(",");
  return problem("header_further_down", { line, found }, { position: header.line });
}
