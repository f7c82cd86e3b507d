import type { FastifyReply } from "fastify";
import { csvOf, type Records, workbookOf } from "#views/table-file.ts";

type Format = "csv" | "xlsx";

const TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Sends records as a download, as CSV or as a workbook. */
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
