import { type ChunkReader, readChunks } from "#intake/csv-reader.ts";
import { peek } from "#intake/file-reader.ts";
import { cellsOf, DELIMITERS, endOfRecord, SEP_LINE } from "#intake/header.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "#intake/text/file-limits.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import {
  CR,
  countLines,
  type CsvRecord,
  type Delimiter,
  LF,
  readRecords,
} from "#intake/text/records.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { AmountStyle } from "#money/parse.ts";

/** A table whose columns may have any names. Its rows can be iterated once. */
export interface TableReading {
  /** The names in the header, exactly as in the file but without surrounding blanks. */
  readonly names: readonly string[];
  readonly headerLine: number;
  /** "UTF-8", "Windows-1252" or "XLSX". Read it after the rows. */
  readonly encoding: string;
  /** The rows in order, in chunks, so memory use is constant. Rows without content are skipped. */
  readonly rows: AsyncIterable<readonly CsvRecord[]>;
  /**
   * Call it when `rows` is exhausted. Err: the file is broken, and none of its rows may be used.
   */
  end(): Result<{ readonly digest: string; readonly rows: number }, Problem>;
}

export interface TableOptions {
  readonly limits?: FileLimits;
  /** The sender of the file. Senders take turns at having a workbook read. */
  readonly sender?: string;
  /** The style in which numbers of a workbook become text, so that all amounts have one style. */
  readonly amountStyle?: AmountStyle;
}

/**
 * Opens a CSV or XLSX file as a table with a header. It has the same limits as a file of payouts.
 * Err: the file cannot be read.
 */
export async function openTable(
  bytes: AsyncIterable<Uint8Array>,
  options: TableOptions = {},
): Promise<Result<TableReading, Problem>> {
  const { limits = DEFAULT_FILE_LIMITS, sender = "", amountStyle = "plain" } = options;
  const { isArchive, source } = await peek(bytes);
  if (isArchive) {
    const { openSheetTable } = await import("#intake/table/sheet-table.ts");
    return openSheetTable(source, { limits, sender, amountStyle });
  }
  const chunks = readChunks(source, limits);
  const first = await chunks.next();
  if (first.kind === "broken") return err(first.problem);
  if (first.kind === "end") return err(problem("file_empty"));
  const head = readHead(first.bytes, limits.columnsMax);
  if (!head.ok) return head;
  const { names, line: headerLine } = head.value;
  return ok({
    names,
    headerLine,
    get encoding() {
      return chunks.encoding;
    },
    ...readRows(chunks, first.bytes, head.value, limits),
  });
}

interface Head {
  readonly names: readonly string[];
  readonly delimiter: Delimiter;
  readonly line: number;
  /** Byte offset of the first row in the chunk. */
  readonly end: number;
  readonly nextLine: number;
}

/** Reads the header: with the delimiter of a sep= line, else the one that gives the most cells. */
function readHead(chunk: Buffer, columnsMax: number): Result<Head, Problem> {
  const sep = SEP_LINE.exec(chunk.toString("latin1", 0, 16));
  let start = sep?.[0].length ?? 0;
  while (chunk[start] === LF || chunk[start] === CR) start++;
  if (start >= chunk.length) return err(problem("file_empty"));
  const line = 1 + countLines(chunk.subarray(0, start));
  const declared = DELIMITERS.find((delimiter) => delimiter === sep?.[1]);
  if (sep && !declared) {
    return err(problem("delimiter_unsupported", { line: 1, found: sep[0].trim() }));
  }
  const end = endOfRecord(chunk, start);
  const record = chunk.subarray(start, end);
  const readings = (declared ? [declared] : DELIMITERS).flatMap((delimiter) => {
    const names = cellsOf(record, delimiter);
    return names ? [{ delimiter, names }] : [];
  });
  const [best] = readings.toSorted((a, b) => b.names.length - a.names.length);
  if (!best) return err(problem("quote_unbalanced", { line }));
  const count = best.names.length;
  if (count > columnsMax) {
    return err(problem("columns_too_many", { line }, { count, limit: columnsMax }));
  }
  return ok({ ...best, line, end, nextLine: line + countLines(record) });
}

function readRows(
  chunks: ChunkReader,
  firstChunk: Buffer,
  head: Head,
  limits: FileLimits,
): Pick<TableReading, "rows" | "end"> {
  let rows = 0;
  let line = head.nextLine;
  let ending: Result<null, Problem> | null = null;

  async function* walk() {
    let chunk = firstChunk.subarray(head.end);
    while (!ending) {
      const read = readRecords(chunk, head.delimiter, line, limits.recordBytesMax);
      if (!read.ok) {
        ending = read;
        return;
      }
      line = read.value.nextLine;
      rows += read.value.records.length;
      if (rows > limits.rowsMax) {
        ending = err(problem("rows_too_many", {}, { limit: limits.rowsMax }));
        return;
      }
      if (read.value.records.length > 0) yield read.value.records;
      const next = await chunks.next();
      if (next.kind === "chunk") chunk = next.bytes;
      else ending = next.kind === "broken" ? err(next.problem) : ok(null);
    }
  }
  return {
    rows: walk(),
    end() {
      if (!ending) throw new Error("end() before the rows are exhausted");
      return ending.ok ? ok({ digest: chunks.digest(), rows }) : ending;
    },
  };
}
