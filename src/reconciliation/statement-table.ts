import { err, ok, type Result } from "#base/result.ts";
import { openTable, type TableOptions } from "#intake/table/table-reader.ts";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";
import type { CamtFacts } from "#reconciliation/camt/summary.ts";

/** A reason why a statement, or one row, cannot be read. */
export interface StatementProblem {
  /** Line of the file. Null: the whole file. */
  readonly line: number | null;
  /** The column as named in the file. Null: the whole row. */
  readonly column: string | null;
  readonly message: string;
  readonly expected: string;
  readonly found: string | null;
}

export interface StatementTableTotals {
  /** SHA-256 of the file in hex. */
  readonly digest: string;
  readonly rows: number;
  /** Facts about the account. Null: the format of the file contains none. */
  readonly facts: CamtFacts | null;
}

/** A statement of any format as a table. Its rows can be iterated once. */
export interface StatementTable {
  readonly names: readonly string[];
  readonly headerLine: number;
  /** The parts of the mapping that the format fixes. */
  readonly fixed: Partial<StatementMapping>;
  readonly rows: AsyncIterable<readonly CsvRecord[]>;
  /** Call it when `rows` is exhausted. Err: none of the rows may be used. */
  end(): Result<StatementTableTotals, readonly StatementProblem[]>;
}

/** Opens a statement in CSV, XLSX or camt.053. Err: the file cannot be read. */
export async function openStatementTable(
  bytes: AsyncIterable<Uint8Array>,
  options: TableOptions = {},
): Promise<Result<StatementTable, StatementProblem>> {
  const { isXml, source } = await peekXml(bytes);
  if (isXml) return openCamt(source, options);
  const table = await openTable(source, options);
  if (!table.ok) return table;
  const { names, headerLine, rows, end } = table.value;
  return ok({
    names,
    headerLine,
    fixed: {},
    rows,
    end() {
      const totals = end();
      return totals.ok ? ok({ ...totals.value, facts: null }) : err([totals.error]);
    },
  });
}

async function openCamt(
  source: AsyncIterable<Uint8Array>,
  { limits = DEFAULT_FILE_LIMITS }: TableOptions,
): Promise<Result<StatementTable, StatementProblem>> {
  const { openCamtTable } = await import("#reconciliation/camt/camt-table.ts");
  const table = await openCamtTable(source, limits);
  if (!table.ok) return table;
  // BOOK: the entry is booked. PDNG: it is pending.
  const words = { book: "completed", pdng: "pending" } as const;
  const fixed = { amountStyle: "plain", payoutSign: "negative", words } as const;
  return ok({ ...table.value, fixed });
}

const BEGINNING_BYTES = 1_024;
const XML = /^(?:ï»¿|ÿþ|þÿ)?\s*<[?!a-z]/i;
/** Files of other programs, for which the CSV reader has clearer messages. */
const OTHER_XML = /<(?:!doctype\s+html|html|table)[\s>]|:office:/i;

/** Returns whether a file starts like XML, and its complete bytes. */
async function peekXml(bytes: AsyncIterable<Uint8Array>) {
  const pieces = bytes[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let length = 0; length < BEGINNING_BYTES; ) {
    const piece = await pieces.next();
    if (piece.done) break;
    taken.push(piece.value);
    length += piece.value.length;
  }
  async function* whole() {
    yield* taken;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  const beginning = Buffer.concat(taken)
    .subarray(0, BEGINNING_BYTES)
    .toString("latin1")
    .replaceAll("\0", "");
  return { isXml: XML.test(beginning) && !OTHER_XML.test(beginning), source: whole() };
}
