import { trimmed } from "#intake/cell-check.ts";
import { type ChunkReader, readChunks } from "#intake/csv-reader.ts";
import { withoutFormulaMark } from "#intake/text/formula.ts";
import { type Header, readHeader } from "#intake/header.ts";
import type { AmountTally } from "#intake/amount-detection.ts";
import { type AddedColumns, NO_ADDED_COLUMNS } from "#intake/header/added-columns.ts";
import { availableCurrencies } from "#intake/row-plan.ts";
import type { ColumnChoices } from "#intake/header/column-mapping.ts";
import {
  amountsQuestion,
  askAbout,
  type FileInterpretation,
  findCurrencies,
  interpretationOf,
  tallyFor,
} from "#intake/file-interpretation.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "#intake/text/file-limits.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { type CsvRecord, type Delimiter, readRecords } from "#intake/text/records.ts";
import { REJECT_COLUMNS } from "#intake/rejects-file.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { type RowSettings } from "#intake/row-settings.ts";
import { err, ok, type Result } from "#base/result.ts";

/** Facts about reading the file. They are displayed before anything is paid. */
export interface FileFacts {
  /**
   * The encoding detected so far. The first non-ASCII byte may decide it late, so read it again
   * after the rows.
   */
  readonly encoding: string;
  readonly delimiter: Delimiter;
  /** The names of the columns. A column that was mapped has payrun's name. */
  readonly header: readonly string[];
  /** The names of the columns exactly as in the file. */
  readonly ownHeader: readonly string[];
  readonly reading: FileInterpretation;
  /** Notes on ignored columns. `FileTotals.notes` holds notes that are only known at the end. */
  readonly notes: readonly Problem[];
}

export interface FileTotals {
  /** SHA-256 of the file's bytes in hex. Files with the same digest are the same batch. */
  readonly digest: string;
  readonly rows: number;
  readonly rejected: number;
  /** Number of warnings on rows, including rejected rows. */
  readonly warnings: number;
  /** All notes on the file as a whole, including `FileFacts.notes`. */
  readonly notes: readonly Problem[];
}

/** A file that is being read. Its rows can be iterated once. */
export interface FileReading {
  readonly facts: FileFacts;
  /**
   * The rows in order, in chunks of a few thousand, so memory use is constant. Iteration may stop
   * early on an error: call `end()` to find out.
   */
  readonly rows: AsyncIterable<readonly RowVerdict[]>;
  /**
   * Call it when `rows` is exhausted. Err: the file is broken in the middle and none of its rows
   * may be paid, including those already returned.
   */
  end(): Result<FileTotals, readonly Problem[]>;
}

export interface ReadingOptions {
  readonly limits?: FileLimits;
  /**
   * The rows come from an uploaded file of rejected rows, in which the column "line" holds the
   * original line number.
   */
  readonly isCorrection?: boolean;
  /** The sender of the file. Senders take turns at having a workbook read. */
  readonly sender?: string;
  /** The meaning of columns with other names than payrun's. Absent: such columns are ignored. */
  readonly columns?: ColumnChoices;
  /**
   * Opens a CSV file again, to find currencies that first appear in later rows. Absent: the file
   * lacks only columns that the currencies of its first rows require.
   */
  readonly reopen?: () => AsyncIterable<Uint8Array>;
}

/**
 * Opens a file of payouts: reads its head, then its rows on demand. Err: the whole file is refused,
 * with every problem of its head.
 */
export async function openFile(
  bytes: AsyncIterable<Uint8Array>,
  settings: RowSettings,
  options: ReadingOptions = {},
): Promise<Result<FileReading, readonly Problem[]>> {
  const { limits = DEFAULT_FILE_LIMITS, isCorrection = false, columns } = options;
  const { isArchive, source } = await peek(bytes);
  if (isArchive) {
    const { openWorkbook } = await import("#intake/xlsx-reader.ts");
    return openWorkbook(source, settings, options);
  }
  const chunks = readChunks(source, limits);
  const first = await chunks.next();
  if (first.kind === "broken") return err([first.problem]);
  if (first.kind === "end") return err([problem("file_empty")]);

  const available = availableCurrencies(settings);
  const header = readHeader(first.bytes, limits.columnsMax, columns, available);
  if (!header.ok) return header;
  const { delimiter, names, question } = header.value;
  const linePlace = isCorrection ? names.indexOf("line") : null;
  if (linePlace === -1) return err([problem("line_column_missing")]);
  const notes = notesOf(header.value.notes, isCorrection);
  const currencies = isCorrection
    ? { found: [], added: NO_ADDED_COLUMNS }
    : await findCurrencies(
        rowsOfChunk(first.bytes.subarray(header.value.end), header.value, limits),
        header.value,
        settings,
        (codes) => rowsNaming(codes, header.value, limits, options),
      );
  const facts = {
    get encoding() {
      return chunks.encoding;
    },
    delimiter,
    header: [...currencies.added.names, ...names],
    ownHeader: header.value.ownNames,
    reading: interpretationOf(settings, header.value, currencies.added),
    notes,
  };
  const tally = tallyFor(settings);
  const { added } = currencies;
  const read = { header: { ...header.value, notes }, linePlace, settings, tally, added };
  const reading = { facts, ...readRows(chunks, first.bytes, read, limits) };
  if (!question) return ok(reading);
  return err(await askAbout({ ...header.value, question }, currencies, settings, reading));
}

/** Returns the rows of a chunk. A broken chunk is reported when the rows are read. */
function rowsOfChunk(chunk: Buffer, { delimiter, nextLine }: Header, limits: FileLimits) {
  const read = readRecords(chunk, delimiter, nextLine, limits.recordBytesMax);
  return read.ok ? read.value.records.map(({ cells }) => cells) : [];
}

/** Reads the file again, and returns the rows of the chunks that contain one of these codes. */
async function* rowsNaming(
  codes: readonly string[],
  header: Header,
  limits: FileLimits,
  { reopen }: ReadingOptions,
) {
  const chunks = reopen && readChunks(reopen(), limits);
  let start = header.end;
  for (let next = await chunks?.next(); next?.kind === "chunk"; next = await chunks?.next()) {
    const rows = next.bytes.subarray(start);
    start = 0;
    if (codes.some((code) => rows.includes(code))) yield rowsOfChunk(rows, header, limits);
  }
}

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/**
 * Returns whether a file starts like an archive, however small its chunks are, and the complete
 * bytes.
 */
export async function peek(bytes: AsyncIterable<Uint8Array>) {
  const pieces = bytes[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let length = 0; length < ZIP.length; ) {
    const piece = await pieces.next();
    if (piece.done) break;
    taken.push(piece.value);
    length += piece.value.length;
  }
  async function* whole() {
    yield* taken;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { isArchive: Buffer.concat(taken, ZIP.length).equals(ZIP), source: whole() };
}

/** Drops the notes on the columns that payrun itself added to an uploaded file of rejected rows. */
export const notesOf = (notes: readonly Problem[], isCorrection: boolean): readonly Problem[] =>
  notes.filter(({ column }) => !isCorrection || !REJECT_COLUMNS.includes(column ?? ""));

interface RowsToRead {
  readonly header: Header;
  readonly linePlace: number | null;
  readonly settings: RowSettings;
  readonly tally: AmountTally | null;
  readonly added: AddedColumns;
}

function readRows(
  chunks: ChunkReader,
  firstChunk: Buffer,
  { header, linePlace, settings, tally, added }: RowsToRead,
  limits: FileLimits,
): Pick<FileReading, "rows" | "end"> {
  const readRow = rowReader(header.names, header.places, settings, tally, added);
  let rows = 0;
  let rejected = 0;
  let warnings = 0;
  let line = header.nextLine;
  let ending: Result<null, Problem> | null = null;

  /** Validates the rows of a chunk. Err: the file is broken within it. */
  const judge = (chunk: Buffer): Result<readonly RowVerdict[], Problem> => {
    const read = readRecords(chunk, header.delimiter, line, limits.recordBytesMax);
    if (!read.ok) return read;
    const { records, nextLine } = read.value;
    line = nextLine;
    rows += records.length;
    if (rows > limits.rowsMax) {
      return err(problem("rows_too_many", {}, { limit: limits.rowsMax }));
    }
    // If the chunk holds a non-ASCII letter, that letter has decided the encoding.
    const origin = chunks.encoding === "Windows-1252" ? "guessed text" : "text";
    const verdicts: RowVerdict[] = [];
    for (const record of records) {
      const row = linePlace === null ? ok(record) : restoreOriginalRecord(record, linePlace);
      if (!row.ok) return row;
      const verdict = readRow(row.value.cells, row.value.line, origin);
      if (verdict.kind === "rejected") rejected++;
      warnings += warningsOf(verdict);
      verdicts.push(verdict);
    }
    return ok(verdicts);
  };

  async function* walk() {
    let chunk = firstChunk.subarray(header.end);
    while (true) {
      const verdicts = judge(chunk);
      if (!verdicts.ok) {
        ending = verdicts;
        return;
      }
      if (verdicts.value.length > 0) yield verdicts.value;
      const next = await chunks.next();
      if (next.kind === "chunk") chunk = next.bytes;
      else {
        ending = next.kind === "broken" ? err(next.problem) : ok(null);
        if (rows === 0 && ending.ok) ending = err(problem("file_without_rows"));
        return;
      }
    }
  }

  return {
    rows: walk(),
    end() {
      if (!ending) throw new Error("end() before the rows are exhausted");
      if (!ending.ok) return err([ending.error]);
      const asked = amountsQuestion(tally);
      if (asked) return err([asked]);
      const notes = [...header.notes, ...notesAtEnd(chunks.encoding, rows, limits)];
      return ok({ digest: chunks.digest(), rows, rejected, warnings, notes });
    },
  };
}

/** Notes that need the whole file. */
function notesAtEnd(encoding: string, rows: number, limits: FileLimits): readonly Problem[] {
  const notes: Problem[] = [];
  if (encoding === "Windows-1252") notes.push(problem("encoding_guessed"));
  const cutAt = limits.spreadsheetLines.find((lines) => lines === rows || lines === rows + 1);
  if (cutAt) notes.push(problem("rows_at_spreadsheet_limit", {}, { rows: cutAt }));
  return notes;
}

const LINE = /^[1-9][0-9]{0,8}$/;

/** Restores a record of a file of rejected rows to its form in the original file. */
export function restoreOriginalRecord(
  { cells, line: here }: CsvRecord,
  linePlace: number,
): Result<CsvRecord, Problem> {
  const line = trimmed(cells, linePlace);
  return LINE.test(line)
    ? ok({ cells: cells.map(withoutFormulaMark), line: Number(line) })
    : err(problem("line_missing", { line: here, column: "line", found: line }));
}

/** Counts the warnings about a row. */
export function warningsOf(verdict: RowVerdict): number {
  if (verdict.kind === "draft") return verdict.warnings.length;
  return verdict.problems.filter(({ severity }) => severity === "warning").length;
}
