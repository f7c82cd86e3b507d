import { CsvError, parse } from "csv-parse/sync";
import { type Problem, problem } from "#intake/text/problems.ts";
import { err, ok, type Result } from "#base/result.ts";

export type Delimiter = "," | ";" | "\t";

export const LF = 10;
export const CR = 13;
export const QUOTE = 34;

/** One record of the file and the line on which it starts. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Returns where the last whole record of a block ends, and the position of an unclosed quote, or
 * -1.
 *
 * csv-parse reads a whole chunk in one call, which is several times as fast as its stream with one
 * event per record, so chunks must end between records. A line break ends a record if the number of
 * quotes before it is even. That holds for every well-formed file, and csv-parse refuses all
 * others.
 */
export function lastBoundary(bytes: Buffer): { readonly end: number; readonly openQuote: number } {
  if (bytes.indexOf(QUOTE) < 0) {
    const cr = bytes.lastIndexOf(CR, bytes.length - 2);
    return { end: Math.max(bytes.lastIndexOf(LF), bytes.length < 2 ? -1 : cr) + 1, openQuote: -1 };
  }
  let end = 0;
  let openQuote = -1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) openQuote = openQuote < 0 ? at : -1;
    else if (openQuote >= 0) continue;
    // A CR at the very end may be the first half of a CRLF.
    else if (byte === LF || (byte === CR && at + 1 < bytes.length && bytes[at + 1] !== LF))
      end = at + 1;
  }
  return { end, openQuote };
}

/** Counts line breaks. CRLF counts as one. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  if (bytes.indexOf(CR) < 0) {
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
    return lines;
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) lines++;
  }
  return lines;
}

/**
 * Reads a chunk of whole records. Lines are counted exactly and cheaply: blank lines are kept as
 * records until they are counted, and only in a chunk that contains quotes can a record span
 * several lines.
 */
export function readRecords(
  chunk: Buffer,
  delimiter: Delimiter,
  firstLine: number,
  recordBytesMax: number,
): Result<{ readonly records: readonly CsvRecord[]; readonly nextLine: number }, Problem> {
  const quoted = chunk.indexOf(QUOTE) >= 0;
  let rows: string[][];
  try {
    rows = parse(chunk, {
      delimiter,
      // csv-parse checks each byte against every quote and line break that it is given. Leaving out
      // those that the chunk does not contain makes it a third faster.
      quote: quoted ? '"' : null,
      record_delimiter: chunk.indexOf(CR) < 0 ? "\n" : ["\r\n", "\n", "\r"],
      relax_column_count: true,
      max_record_size: recordBytesMax,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    return err(brokenRecord(cause, chunk, firstLine, recordBytesMax));
  }

  const records: CsvRecord[] = [];
  let line = firstLine;
  for (const cells of rows) {
    if (!isBlank(cells)) records.push({ cells, line });
    line += 1 + (quoted ? breaksInside(cells) : 0);
  }
  return ok({ records, nextLine: line });
}

/** Only delimiters: what a spreadsheet writes for an empty row. */
function isBlank(cells: readonly string[]): boolean {
  for (let i = 0; i < cells.length; i++) {
    if ((cells[i] ?? "").trim() !== "") return false;
  }
  return true;
}

function breaksInside(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    for (let at = 0; at < cell.length; at++) {
      const unit = cell.charCodeAt(at);
      if (unit === LF || (unit === CR && cell.charCodeAt(at + 1) !== LF)) breaks++;
    }
  }
  return breaks;
}

/**
 * csv-parse reports the end of the last whole cell in `bytes`. The broken cell and its quote start
 * after it.
 */
function brokenRecord(cause: CsvError, chunk: Buffer, firstLine: number, limit: number): Problem {
  const bytes: unknown = (cause as { bytes?: unknown }).bytes;
  const cellStart = typeof bytes === "number" ? bytes : 0;
  const line = firstLine + countLines(chunk.subarray(0, cellStart));
  const code: string = cause.code;
  if (code === "CSV_MAX_RECORD_SIZE") return problem("record_too_large", { line }, { limit });
  return problem(code === "INVALID_OPENING_QUOTE" ? "quote_inside_cell" : "quote_unbalanced", {
    line,
  });
}
