import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { FastifyReply } from "fastify";
import writeWorkbook from "write-excel-file/node";
import { Problem } from "#http/server/problems.ts";

type Format = "csv" | "xlsx";
type Records = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

const TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
/**
 * Maximum number of rows of a workbook, which is created in memory. Longer files are sent as CSV,
 * which is streamed.
 */
const WORKBOOK_ROWS_MAX = 50_000;

export async function sendFile(
  reply: FastifyReply,
  name: string,
  format: Format,
  records: Records,
  delimiter: string,
): Promise<FastifyReply> {
  // Created before the headers are sent, because a workbook may still be refused.
  const content = format === "csv" ? csvOf(records, delimiter) : await workbookOf(records);
  return reply
    .type(TYPES[format])
    .header("content-disposition", `attachment; filename="${name}.${format}"`)
    .send(content);
}

/** Writes CSV with a byte order mark: without it spreadsheets read UTF-8 as another encoding. */
export const csvOf = (records: Records, delimiter: string): Readable =>
  // An error aborts the answer, so that its reader notices that it is incomplete.
  pipeline(Readable.from(records), stringify({ delimiter, bom: true }), () => {});

/** Creates a workbook in which every cell is text, so that no leading zero is lost. */
export async function workbookOf(records: Records): Promise<Buffer> {
  const rows: { value: string; type: StringConstructor; format: string }[][] = [];
  for await (const record of records) {
    if (rows.length > WORKBOOK_ROWS_MAX) {
      const detail = `Files of more than ${WORKBOOK_ROWS_MAX} rows are available as CSV only.`;
      throw new Problem("too_large", { detail });
    }
    rows.push(record.map((value) => ({ value, type: String, format: "@" })));
  }
  return writeWorkbook(rows).toBuffer();
}
