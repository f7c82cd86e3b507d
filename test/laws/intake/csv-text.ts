import fc from "fast-check";
import { inChunks, type ReadFile, readFile } from "../../support/samples.ts";

/* Files of rows, as CSV. */

export const HEADER = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
  "bank_account_number",
  "bank_code",
  "bank_name",
];
export const ROW = ["MY-1", "MYR", "10.50", "Nurul Huda", "5123456789", "MBB", "Maybank Berhad"];

export const read = (content: string | Uint8Array, chunkBytes?: number): Promise<ReadFile> =>
  readFile(inChunks(typeof content === "string" ? Buffer.from(content) : content, chunkBytes));
export const lines = ({ verdicts }: ReadFile) => verdicts.map(({ line }) => line);
/** Result of each row, whatever its line. */
export const drafts = ({ verdicts }: ReadFile) =>
  verdicts.map((row) =>
    row.kind === "draft" ? row.draft : row.problems.map(({ code, column }) => ({ code, column })),
  );

export const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
/** A CSV cell, quoted where necessary. */
const written = (cell: string, delimiter: string) =>
  /["\r\n]/.test(cell) || cell.includes(delimiter) ? quoted(cell) : cell;
export const csv = (rows: readonly (readonly string[])[], delimiter = ",", lineEnd = "\n") =>
  rows.map((row) => row.map((cell) => written(cell, delimiter)).join(delimiter) + lineEnd).join("");

/** Cells as people and fuzzers fill them, except what CSV itself cannot distinguish. */
const cell = fc.oneof(
  fc.constantFrom(
    ...ROW,
    "",
    "1,234.56",
    "1.23E+11",
    'say "hi"',
    '"',
    "a;b",
    "tab\there",
    "two\nlines",
    "two\r\nlines",
    "=1+1",
    "João",
    "日本",
    "𝒜",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("\0")),
);
export const anyRows = fc.array(
  fc.tuple(...ROW.map((text) => fc.oneof({ weight: 3, arbitrary: fc.constant(text) }, cell))),
  { minLength: 1, maxLength: 6 },
);
export const isBlank = (row: readonly string[]) => row.every((text) => text.trim() === "");
export const breaksIn = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

export const HEAD = csv([HEADER]);
/** Reading a file costs as much as many small inputs. */
export const SHARE = 0.2;
