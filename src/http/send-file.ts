import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { FastifyReply } from "fastify";
import writeWorkbook from "write-excel-file/node";
import { Problem } from "#http/problems.ts";

type Format = "csv" | "xlsx";
type Records = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

const TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
/** A workbook is made in memory; a longer file comes as CSV, which is not. */
const WORKBOOK_ROWS_MAX = 50_000;

export async function sendFile(
  reply: FastifyReply,
  name: string,
  format: Format,
  records: Records,
  delimiter: string,
): Promise<FastifyReply> {
  // Before the headers: a workbook may still be refused.
  const content = format === "csv" ? csvOf(records, delimiter) : await workbookOf(records);
  return reply
    .type(TYPES[format])
    .header("content-disposition", `attachment; filename="${name}.${format}"`)
    .send(content);
}

/** With a mark at its start: without it a spreadsheet takes UTF-8 for something else. */
export const csvOf = (records: Records, delimiter: string): Readable =>
  // An error ends the answer in the middle, and its reader sees that it is not whole.
  pipeline(Readable.from(records), stringify({ delimiter, bom: true }), () => {});

/** Every cell as text, so that no zero is lost. */
export async function workbookOf(records: Records): Promise<Buffer> {
  const rows: { value: string; type: StringConstructor; format: string }[][] = [];
  for await (const record of records) {
    if (rows.length > WORKBOOK_ROWS_MAX) {
      const detail = `More than ${WORKBOOK_ROWS_MAX} rows come as CSV only.`;
      throw new Problem("too_large", { detail });
    }
    rows.push(record.map((value) => ({ value, type: String, format: "@" })));
  }
  return writeWorkbook(rows).toBuffer();
}
