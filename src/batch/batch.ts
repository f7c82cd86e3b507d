import { trimmed } from "#batch/cell.ts";
import { type ChunkReader, readChunks } from "#batch/csv.ts";
import { withoutFormulaMark } from "#batch/formula.ts";
import { type Header, readHeader } from "#batch/header.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "#batch/limits.ts";
import { type Problem, problem } from "#batch/problems.ts";
import { type CsvRecord, type Delimiter, readRecords } from "#batch/records.ts";
import { REJECT_COLUMNS } from "#batch/rejects.ts";
import { rowReader, type RowSettings, type RowVerdict } from "#batch/row.ts";
import { err, ok, type Result } from "#result.ts";

/** How the file was read, to be shown before anything is paid. */
export interface FileFacts {
  /** Known so far: the first byte that is not ASCII may decide it late, so read it again after the rows. */
  readonly encoding: string;
  readonly delimiter: Delimiter;
  /** The header as it stands in the file. */
  readonly header: readonly string[];
  /** Columns that are ignored. What is only known at the end stands in `BatchEnd.notes`. */
  readonly notes: readonly Problem[];
}

export interface BatchEnd {
  /** Hex SHA-256 of the file's bytes: the same digest is the same batch. */
  readonly digest: string;
  readonly rows: number;
  readonly rejected: number;
  /** How many warnings the rows have, those of rejected rows included. */
  readonly warnings: number;
  /** Everything to be said of the file as a whole, `FileFacts.notes` included. */
  readonly notes: readonly Problem[];
}

/** A file that is being read. Its rows can be walked through once. */
export interface BatchReading {
  readonly facts: FileFacts;
  /** The rows in order, in chunks of some thousands, so that memory is flat. It may end early: ask `end()`. */
  readonly rows: AsyncIterable<readonly RowVerdict[]>;
  /**
   * Call it when `rows` is exhausted. Err: the file is broken in the middle, and nothing of it may be
   * paid, not even the drafts seen before.
   */
  end(): Result<BatchEnd, readonly Problem[]>;
}

export interface ReadingOptions {
  readonly limits?: FileLimits;
  /** The rows come back from a file of rejected rows: each tells its line in the column of that name. */
  readonly isCorrection?: boolean;
  /** Who sent the file: people take turns at having a workbook read. */
  readonly sender?: string;
}

/**
 * Opens a file of payouts: reads its head, then its rows as they are asked for. Err: the file as a whole
 * is refused, with everything that is wrong with its head.
 */
export async function openBatch(
  bytes: AsyncIterable<Uint8Array>,
  settings: RowSettings,
  { limits = DEFAULT_FILE_LIMITS, isCorrection = false, sender }: ReadingOptions = {},
): Promise<Result<BatchReading, readonly Problem[]>> {
  const { isArchive, source } = await peek(bytes);
  if (isArchive) {
    const { openWorkbook } = await import("#batch/workbook.ts");
    return openWorkbook(source, settings, { limits, isCorrection, ...(sender && { sender }) });
  }
  const chunks = readChunks(source, limits);
  const first = await chunks.next();
  if (first.kind === "broken") return err([first.problem]);
  if (first.kind === "end") return err([problem("file_empty")]);

  const header = readHeader(first.bytes, limits.columnsMax);
  if (!header.ok) return header;
  const { delimiter, names } = header.value;
  const linePlace = isCorrection ? names.indexOf("line") : null;
  if (linePlace === -1) return err([problem("line_column_missing")]);
  const notes = notesOf(header.value.notes, isCorrection);
  const facts = {
    get encoding() {
      return chunks.encoding;
    },
    delimiter,
    header: names,
    notes,
  };
  return ok({
    facts,
    ...readRows(chunks, first.bytes, { ...header.value, notes }, linePlace, settings, limits),
  });
}

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** Whether a file begins as an archive does, however small its pieces are, and the whole of it. */
async function peek(bytes: AsyncIterable<Uint8Array>) {
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

/** Of a file that came back the columns that were added to it are no surprise. */
export const notesOf = (notes: readonly Problem[], isCorrection: boolean): readonly Problem[] =>
  notes.filter(({ column }) => !isCorrection || !REJECT_COLUMNS.includes(column ?? ""));

function readRows(
  chunks: ChunkReader,
  firstChunk: Buffer,
  header: Header,
  linePlace: number | null,
  settings: RowSettings,
  limits: FileLimits,
): Pick<BatchReading, "rows" | "end"> {
  const readRow = rowReader(header.names, header.places, settings);
  let rows = 0;
  let rejected = 0;
  let warnings = 0;
  let line = header.nextLine;
  let ending: Result<null, Problem> | null = null;

  /** The verdicts of a chunk. Err: the file is broken in it. */
  const judge = (chunk: Buffer): Result<readonly RowVerdict[], Problem> => {
    const read = readRecords(chunk, header.delimiter, line, limits.recordBytesMax);
    if (!read.ok) return read;
    const { records, nextLine } = read.value;
    line = nextLine;
    rows += records.length;
    if (rows > limits.rowsMax) {
      return err(problem("rows_too_many", {}, { limit: limits.rowsMax }));
    }
    // Where the chunk holds a letter beyond ASCII, that letter has decided the encoding.
    const origin = chunks.encoding === "Windows-1252" ? "guessed text" : "text";
    const verdicts: RowVerdict[] = [];
    for (const record of records) {
      const row = linePlace === null ? ok(record) : cameBack(record, linePlace);
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
      const notes = [...header.notes];
      if (chunks.encoding === "Windows-1252") notes.push(problem("encoding_guessed"));
      const cutAt = limits.spreadsheetLines.find((lines) => lines === rows || lines === rows + 1);
      if (cutAt) notes.push(problem("rows_at_spreadsheet_limit", {}, { rows: cutAt }));
      return ok({ digest: chunks.digest(), rows, rejected, warnings, notes });
    },
  };
}

const LINE = /^[1-9][0-9]{0,8}$/;

/** A record of a file of rejected rows, as it stood in the file that it comes from. */
export function cameBack(
  { cells, line: here }: CsvRecord,
  linePlace: number,
): Result<CsvRecord, Problem> {
  const line = trimmed(cells, linePlace);
  return LINE.test(line)
    ? ok({ cells: cells.map(withoutFormulaMark), line: Number(line) })
    : err(problem("line_missing", { line: here, column: "line", found: line }));
}

export function warningsOf(verdict: RowVerdict): number {
  if (verdict.kind === "draft") return verdict.warnings.length;
  return verdict.problems.filter(({ severity }) => severity === "warning").length;
}
