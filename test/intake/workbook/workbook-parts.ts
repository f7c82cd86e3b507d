import writeWorkbook from "write-excel-file/node";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks, type ReadFile, readFile } from "../../support/samples.ts";
import { type Entry, text } from "./archive.ts";

export type Value = string | number | Date | null;

export const HEADER = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
  "bank_account_number",
  "ifsc_code",
  "bank_code",
  "bank_name",
];
/** A row without problems. */
export const GOOD: readonly Value[] = [
  "U-1",
  "INR",
  "100.00",
  "Asha Rao",
  "00501000001234",
  "HDFC0000001",
  "HDFC",
  "HDFC Bank",
];

const SHEET = "xl/worksheets/sheet1.xml";
const relation = (id: number) =>
  `<Relationship Id="rId${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${id}.xml"/>`;

/** The parts besides the sheets of a workbook with two sheets, of which Pay is the first. */
export const PARTS: readonly Entry[] = [
  text(
    "xl/workbook.xml",
    `<workbook xmlns:r="r"><sheets><sheet name="Pay" sheetId="1" r:id="rId1"/><sheet name="Old" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  ),
  text("xl/_rels/workbook.xml.rels", `<Relationships>${relation(1)}${relation(2)}</Relationships>`),
];

/** The first sheet, hand-written instead of produced by a program. */
export const sheetOf = (...rows: readonly string[]): Entry =>
  text(SHEET, `<worksheet><sheetData>${rows.join("")}</sheetData></worksheet>`);

export const cell = (place: string, value: string, inside = "") =>
  `<c r="${place}" t="inlineStr">${inside}<is><t>${value}</t></is></c>`;

export const rowOf = (line: number, values: readonly Value[], inside = "") =>
  `<row r="${line}">${values.map((value, place) => cell(`${"ABCDEFGHIJ"[place]}${line}`, String(value), inside)).join("")}</row>`;

export const HEAD = rowOf(1, HEADER);

/** A complete workbook of these rows under the header, as a library writes it. */
export const bookOf = async (...rows: readonly (readonly Value[])[]): Promise<Buffer> =>
  writeWorkbook(
    [HEADER, ...rows].map((row) =>
      row.map((value) => (value instanceof Date ? { value, format: "yyyy-mm-dd" } : value)),
    ),
  ).toBuffer();

export const readBook = (book: Buffer): Promise<ReadFile> =>
  readFile(inChunks(book, 1_000), DEFAULT_ROW_SETTINGS);

/** The good row with another value in one place. */
export const put = (place: number, value: Value): Value[] => GOOD.with(place, value);
