import { formulaSafe } from "#batch/formula.ts";
import type { ReportRow } from "#ledger/batch-rows.ts";

/** What is added to the columns of the file. */
const CODE = "transaction_code";
const ADDED = ["line", CODE, "state", "gateway_number", "reason", "updated_at"];

/** A column of the file, with the name that it has in the report. */
interface OwnColumn {
  readonly name: string;
  readonly place: number;
}

/** The columns of the file: one that is called like an added column says that it comes from the file. */
const ownColumns = (header: readonly string[]): readonly OwnColumn[] =>
  header.map((name, place) => ({
    name: name !== CODE && ADDED.includes(name) ? `file_${name}` : name,
    place,
  }));

/** A row that was left out has no code but the one that the file may have given it. */
const codeOf = (header: readonly string[], { transactionCode, cells }: ReportRow): string =>
  transactionCode ?? cells[header.indexOf(CODE)] ?? "";

/** What is added to a row, under the names of the added columns. */
const added = (header: readonly string[], row: ReportRow) => ({
  line: row.line,
  [CODE]: codeOf(header, row) || null,
  state: row.state,
  gateway_number: row.gatewayNumber,
  reason: row.reason,
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** The records of a report, its header first. */
export async function* reportRecords(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<readonly string[]> {
  // The file's code is the one that is added: no name stands twice.
  const own = ownColumns(header).filter(({ name }) => name !== CODE);
  yield [...own.map(({ name }) => formulaSafe(name)), ...ADDED];
  for await (const row of rows) {
    yield [
      ...own.map(({ place }) => formulaSafe(row.cells[place] ?? "")),
      ...Object.values(added(header, row)).map((value) => formulaSafe(String(value ?? ""))),
    ];
  }
}

/** The same as lines of JSON, with the same names. */
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
