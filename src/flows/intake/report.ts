import { formulaSafe } from "#intake/text/formula.ts";
import type { ReportRow } from "#ledger/intake/batch-rows.ts";
import { formatMoney } from "#money/format.ts";

/** The columns that are added to those of the file. */
const CODE = "transaction_code";
const ADDED = ["line", CODE, "state", "gateway_number", "fee", "reason", "updated_at"];

/** A column of the file, with its name in the report. */
interface OwnColumn {
  readonly name: string;
  readonly place: number;
}

/**
 * Returns the columns of the file. A column with the name of an added column gets a prefix that
 * shows that it comes from the file.
 */
const ownColumns = (header: readonly string[]): readonly OwnColumn[] =>
  header.map((name, place) => ({
    name: name !== CODE && ADDED.includes(name) ? `file_${name}` : name,
    place,
  }));

/** A row that was left out has no code except the one that the file may have given it. */
const codeOf = (header: readonly string[], { transactionCode, cells }: ReportRow): string =>
  transactionCode ?? cells[header.indexOf(CODE)] ?? "";

/** Returns the values that are added to a row, under the names of the added columns. */
const added = (header: readonly string[], row: ReportRow) => ({
  line: row.line,
  [CODE]: codeOf(header, row) || null,
  state: row.state,
  gateway_number: row.gatewayNumber,
  fee: row.fee && formatMoney(row.fee),
  reason: row.reason,
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** Generates the records of a report, starting with the header. */
export async function* reportRecords(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<readonly string[]> {
  // The added code column replaces that of the file, so that no name occurs twice.
  const own = ownColumns(header).filter(({ name }) => name !== CODE);
  yield [...own.map(({ name }) => formulaSafe(name)), ...ADDED];
  for await (const row of rows) {
    yield [
      ...own.map(({ place }) => formulaSafe(row.cells[place] ?? "")),
      ...Object.values(added(header, row)).map((value) => formulaSafe(String(value ?? ""))),
    ];
  }
}

/** Generates the report as lines of JSON, with the same names. */
export async function* reportLines(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<string> {
  const columns = ownColumns(header);
  for await (const row of rows) {
    const { cells } = row;
    const own = Object.fromEntries(columns.map(({ name, place }) => [name, cells[place] ?? ""]));
    yield `${JSON.stringify({ ...own, ...added(header, row) })}\n`;
  }
}
