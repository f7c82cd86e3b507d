import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { ownColumns, reportRecords } from "#flows/report.ts";
import type { ReportRow } from "#ledger/batch-rows.ts";
import type { Batch } from "#ledger/ledger.ts";

/** Writes every row of the file and what became of it to stdout, as fast as it is read there. */
export async function writeReport(
  { facts: { header, delimiter } }: Batch,
  rows: AsyncIterable<ReportRow>,
  json: boolean,
): Promise<void> {
  const toStdout = [process.stdout, { end: false }] as const;
  if (json) await pipeline(jsonLines(header, rows), ...toStdout);
  else await pipeline(reportRecords(header, rows), stringify({ delimiter }), ...toStdout);
}

/** One line per row; the columns of the file under their own names. */
async function* jsonLines(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<string> {
  const columns = ownColumns(header);
  for await (const { cells, ...row } of rows) {
    const own = Object.fromEntries(columns.map(({ name, place }) => [name, cells[place] ?? ""]));
    yield `${JSON.stringify({ ...own, ...row })}\n`;
  }
}
