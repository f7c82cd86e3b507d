import { parse } from "csv-parse/sync";
import { REQUIRED_COLUMNS } from "#intake/header/columns.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import {
  type ColumnChoices,
  type ReadColumns,
  readColumns,
} from "#intake/header/column-mapping.ts";
import { synonymOf } from "#intake/header/column-synonyms.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { CR, countLines, type Delimiter, LF, QUOTE } from "#intake/text/records.ts";
import { err, ok, type Result } from "#base/result.ts";

export interface Header extends ReadColumns {
  readonly delimiter: Delimiter;
  /** The cells of the header exactly as in the file, without surrounding blanks. */
  readonly ownNames: readonly string[];
  /** The start of the rows: byte offset in the chunk, and line in the file. */
  readonly end: number;
  readonly nextLine: number;
}

/** The delimiters that a file can have. */
export const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];
/**
 * Delimiters found in other programs' exports. They are never accepted, because a name may contain
 * one.
 */
const UNSUPPORTED_DELIMITERS = ["|", "^", "~", ":"];
/** A first line that declares the delimiter, as Excel writes it. */
export const SEP_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i;

/**
 * Reads the head of a file from its first chunk of whole records: an optional sep= line, blank
 * lines, and the header. The delimiter is that of the sep= line, else the one that yields the most
 * known columns. Err: every problem that makes this header unusable.
 *
 * @param available the currencies in which the account can pay.
 */
export function readHeader(
  chunk: Buffer,
  columnsMax: number,
  choices?: ColumnChoices,
  available: readonly string[] = [],
): Result<Header, readonly Problem[]> {
  const sep = SEP_LINE.exec(chunk.toString("latin1", 0, 16));
  let start = sep?.[0].length ?? 0;
  while (chunk[start] === LF || chunk[start] === CR) start++;
  if (start >= chunk.length) return err([problem("file_empty")]);

  const declared = sep?.[1];
  if (declared !== undefined && !DELIMITERS.includes(declared as Delimiter)) {
    return err([problem("delimiter_unsupported", { line: 1, found: sep?.[0].trim() ?? "" })]);
  }
  const line = 1 + countLines(chunk.subarray(0, start));
  const end = endOfRecord(chunk, start);
  const record = chunk.subarray(start, end);
  const candidates = declared === undefined ? DELIMITERS : [declared as Delimiter];
  const readings = candidates.flatMap((delimiter) => {
    const names = cellsOf(record, delimiter);
    return names ? [{ delimiter, names, known: names.filter(isMeaningful).length }] : [];
  });
  const best = readings.toSorted((a, b) => b.known - a.known || b.names.length - a.names.length)[0];
  if (!best) return err([problem("quote_unbalanced", { line })]);

  const misplaced = best.known === 0 ? misplacedHeader(chunk, start, line) : null;
  if (misplaced) return err([misplaced]);
  const foreign =
    best.known === 0
      ? UNSUPPORTED_DELIMITERS.find((sign) => isHeaderWith(record, sign))
      : undefined;
  if (foreign !== undefined)
    return err([problem("delimiter_unsupported", { line, found: foreign })]);

  const { delimiter, names } = best;
  if (names.length > columnsMax) {
    return err([problem("columns_too_many", { line }, { count: names.length, limit: columnsMax })]);
  }
  const columns = readColumns(names, line, choices, available);
  if (!columns.ok) return columns;
  const nextLine = line + countLines(record);
  return ok({ ...columns.value, delimiter, ownNames: names, end, nextLine });
}

const isMeaningful = (name: string): boolean =>
  knownColumn(name) !== undefined || synonymOf(name) !== undefined;

/**
 * Finds the end of the header record, which may contain quoted line breaks. The chunk ends between
 * records, so there is one.
 */
export function endOfRecord(chunk: Buffer, start: number): number {
  let quoted = false;
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && byte === LF) return at + 1;
    else if (!quoted && byte === CR) return chunk[at + 1] === LF ? at + 2 : at + 1;
  }
  return chunk.length;
}

/**
 * Returns the cells of a record. Null: the quotes are invalid with this delimiter, which csv-parse
 * reports by throwing.
 */
export function cellsOf(record: Buffer, delimiter: Delimiter): readonly string[] | null {
  try {
    const rows = parse(record, { delimiter, record_delimiter: ["\r\n", "\n", "\r"] });
    return (rows[0] ?? []).map((name) => name.trim());
  } catch {
    return null;
  }
}

/** Number of lines below the first that are searched for a header that a title has pushed down. */
export const TITLE_LINES_MAX = 20;

/**
 * Returns the problem of a head without a known column name: it is one quoted cell, or the header
 * comes later.
 */
function misplacedHeader(chunk: Buffer, start: number, line: number): Problem | null {
  let at = start;
  let here = line;
  while (at < chunk.length && here <= line + TITLE_LINES_MAX) {
    const end = endOfRecord(chunk, at);
    const record = chunk.subarray(at, end);
    const found = record.toString().trim();
    if (at === start && hasAllColumns(unquoted(record))) {
      return problem("header_in_quotes", { line, found });
    }
    if (at > start && hasAllColumns(record)) {
      return problem("header_further_down", { line, found }, { position: here });
    }
    at = end;
    here += countLines(record);
  }
  return null;
}

const hasAllColumns = (record: Buffer): boolean =>
  DELIMITERS.some((delimiter) => isWholeHeader(cellsOf(record, delimiter) ?? []));

/**
 * Returns whether these names include every column that a file needs, also under other names. The
 * currency can be chosen for all rows.
 */
export function isWholeHeader(names: readonly string[]): boolean {
  const columns = new Set(names.map((name) => knownColumn(name) ?? synonymOf(name)));
  return REQUIRED_COLUMNS.every((column) => column === "currency_code" || columns.has(column));
}

/** Returns the text of a record that is one quoted cell. */
const unquoted = (record: Buffer): Buffer => Buffer.from(cellsOf(record, ",")?.[0] ?? "");

const isHeaderWith = (record: Buffer, sign: string): boolean =>
  record
    .toString("latin1")
    .split(sign)
    .filter((name) => knownColumn(name)).length > 1;
