import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { reportLines, reportRecords } from "#flows/intake/report.ts";
import type { ReportRow } from "#ledger/intake/batch-rows.ts";
import type { Batch } from "#ledger/ledger.ts";

/** Returns every row of the file with its result, as fast as it is read. */
export function reportText(
  { header, delimiter }: Batch["facts"],
  rows: AsyncIterable<ReportRow>,
  format: "csv" | "jsonl",
): AsyncIterable<string | Uint8Array> {
  if (format === "jsonl") return reportLines(header, rows);
  const records = Readable.from(reportRecords(header, rows));
  // An error reaches the reader of the text.
  return pipeline(records, stringify({ delimiter }), () => {});
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Removes the byte order mark of a server's CSV, which is for spreadsheets. The command line
 * writes none.
 */
export async function* withoutByteOrderMark(
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isStart = true;
  for await (const piece of text) {
    const marked =
      isStart && Buffer.from(piece.subarray(0, BYTE_ORDER_MARK.length)).equals(BYTE_ORDER_MARK);
    yield marked ? piece.subarray(BYTE_ORDER_MARK.length) : piece;
    isStart = false;
  }
}
