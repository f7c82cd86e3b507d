import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { Problem } from "#api/app/problems.ts";

export type Records = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/**
 * Maximum number of rows of a workbook, which is created in memory. Longer files are sent as CSV,
 * which is streamed.
 */
const WORKBOOK_ROWS_MAX = 50_000;

/** Writes CSV with a byte order mark: without it spreadsheets read UTF-8 as another encoding. */
export const csvOf = (records: Records, delimiter: string): Readable =>
  // An error aborts the answer, so that its reader notices that it is incomplete.
  pipeline(Readable.from(records), stringify({ delimiter, bom: true }), () => {});

/** Creates a workbook in which every cell is text, so that no leading zero is lost. */
export async function workbookOf(records: Records): Promise<Buffer> {
  const rows: { value: string; type: StringConstructor; format: string }[][] = [];
  for await (const record of records) {
    if (rows.length > WORKBOOK_ROWS_MAX) {
      const detail = `Files with more than ${WORKBOOK_ROWS_MAX} rows are available as CSV only.`;
      throw new Problem("too_large", { detail });
    }
    rows.push(record.map((value) => ({ value, type: String, format: "@" })));
  }
  // Its hundred files are read at the first workbook, so that the server starts sooner.
  const { default: writeWorkbook } = await import("write-excel-file/node");
  return writeWorkbook(rows).toBuffer();
}
