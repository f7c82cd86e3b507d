import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { formulaSafe } from "#batch/formula.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { ReportRow } from "#ledger/story.ts";

/** What is added to the columns of the file. */
const ADDED = ["line", "transaction_code", "state", "gateway_number", "reason", "updated_at"];

/** Writes every row of the file and what became of it to stdout, as fast as it is read there. */
export async function writeReport(
  { facts: { header, delimiter } }: Batch,
  rows: AsyncIterable<ReportRow>,
  json: boolean,
): Promise<void> {
  const toStdout = [process.stdout, { end: false }] as const;
  if (json) await pipeline(jsonLines(header, rows), ...toStdout);
  else await pipeline(records(header, rows), stringify({ delimiter }), ...toStdout);
}

async function* records(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<readonly string[]> {
  yield [...header, ...ADDED];
  for await (const row of rows) {
    yield [
      ...header.map((_, index) => formulaSafe(row.cells[index] ?? "")),
      String(row.line),
      row.transactionCode ?? "",
      row.state,
      formulaSafe(row.gatewayNumber ?? ""),
      formulaSafe(row.reason ?? ""),
      row.updatedAt?.toISOString() ?? "",
    ];
  }
}

/** One line per row; the columns of the file under their own names. */
async function* jsonLines(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<string> {
  for await (const { cells, ...row } of rows) {
    const own = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]));
    yield `${JSON.stringify({ ...own, ...row })}\n`;
  }
}
