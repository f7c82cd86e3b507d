import { readSheet } from "read-excel-file/node";
import { type Book, locateParts, broken, otherKind } from "#intake/workbook/workbook-parts.ts";
import { areasShownByCondition, conditionalSigns } from "#intake/workbook/conditional-formats.ts";
import { gridProblem } from "#intake/workbook/grid.ts";
import { UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { type LostValue, lostValues } from "#intake/workbook/lost-values.ts";
import { type Marks, marksOf } from "#intake/workbook/cell-marks.ts";
import { type Covered, mergesOf } from "#intake/workbook/merged-cells.ts";
import {
  changesTexts,
  formatOf,
  formatsOf,
  mayLookDifferent,
  type NumberFormat,
} from "#intake/workbook/number-formats.ts";
import { type Parts, partText } from "#intake/workbook/part-text.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { strikethroughIn } from "#intake/workbook/strikethrough.ts";
import type { TextFormat } from "#intake/workbook/text-formats.ts";
import { visible } from "#base/invisible-characters.ts";
import { storedZip, unpackWithin } from "#intake/workbook/zip.ts";
import { err, ok, type Result } from "#base/result.ts";

const CHUNK_ROWS = 500;

/** A number exactly as the workbook stores it. It becomes text only if it is exact. */
export interface WrittenNumber {
  readonly written: string;
  /** Present if the format may display the number differently. */
  readonly format?: NumberFormat;
}
/** A text that its format shows with an addition, or not at all. */
export interface FormattedText {
  readonly text: string;
  readonly format: TextFormat;
}
export type Cell =
  | string
  | boolean
  | { readonly date: string }
  | Pick<LostValue, "lost">
  | WrittenNumber
  | FormattedText
  | null;

export interface SheetRow {
  readonly line: number;
  readonly cells: readonly Cell[];
  /** Positions of cells that show the content of another cell. */
  readonly covered?: readonly number[];
}

export interface Sheet {
  readonly headerLine: number;
  readonly header: readonly Cell[];
  /**
   * The rows with content, a few hundred per chunk. As bytes they are transferred between threads
   * without a copy. Each is parsed when needed: parsing all would take seconds.
   */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly remarks: readonly Problem[];
}

/** Parses a chunk of sheet rows. */
export const rowsIn = (chunk: Uint8Array): readonly SheetRow[] =>
  JSON.parse(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("utf8"));

/** Returns the problem of a workbook that unpacks to more bytes than allowed. */
export const tooLarge = (): Problem =>
  problem("workbook_too_large", {}, { limit: UNPACKED_BYTES_MAX });

/** Reads the first sheet of a workbook. This takes seconds of CPU time without yielding. */
export async function sheetOf(file: Buffer, columnsMax: number): Promise<Result<Sheet, Problem>> {
  const parts = new Map<string, Buffer>();
  const names: string[] = [];
  const unpacked = await unpackWithin(file, UNPACKED_BYTES_MAX, ({ name, bytes }) => {
    names.push(name);
    if (/\.(?:xml|rels)$/.test(name)) parts.set(name, bytes);
  });
  if (!unpacked.ok) {
    return unpacked.error === "too_large" ? err(tooLarge()) : broken(ARCHIVE_WHY[unpacked.error]);
  }
  const kind = otherKind(names);
  if (kind !== null) return err(problem("file_not_text", {}, { kind }));
  if (new Set(names).size < names.length) return broken("its archive has a duplicate part");
  try {
    const book = locateParts(parts);
    if (!book.ok) return book;
    return await readFirst(parts, book.value, columnsMax, names);
  } catch (error) {
    return broken(readerErrorText(error));
  }
}

const ARCHIVE_WHY = {
  locked: "its archive is password-protected",
  broken: "its archive is damaged",
} as const;

/** Keeps only the position: the rest of the reader's message is for programmers. */
function readerErrorText(error: unknown): string {
  const [, row, column] = /row (\d+),? col (\d+)/.exec(String(error)) ?? [];
  return row === undefined
    ? "one of its parts is not in the workbook format"
    : `the content of row ${row}, column ${column} in its sheet is not in the workbook format`;
}

async function readFirst(
  parts: Parts,
  { sheet, tabs, stringsPath, stylesPath, is1904 }: Book,
  columnsMax: number,
  names: readonly string[],
): Promise<Result<Sheet, Problem>> {
  const text = partText(parts, sheet.path);
  if (!text.ok) return broken(text.error);
  const bytes = Buffer.from(text.value);
  const why = gridProblem(bytes, columnsMax);
  if (why !== null) return broken(why);
  const strings = parts.has(stringsPath) ? partText(parts, stringsPath) : ok(null);
  if (!strings.ok) return broken(strings.error);
  const styles = parts.has(stylesPath) ? partText(parts, stylesPath) : ok("");
  if (!styles.ok) return broken(styles.error);

  const formats = formatsOf(styles.value);
  const rows = (await readSheet(archiveOf(bytes, strings.value, formats.length), {
    trim: false,
    parseNumber: (written: string) => ({ written }),
  })) as unknown as (Cell | Date)[][];
  restoreLostValues(rows, lostValues(text.value));
  const { name } = sheet;
  const marks = marksOf(text.value, formats);
  const areas = areasShownByCondition(text.value, styles.value).join(" ");
  const remarks = [
    ...(tabs > 1
      ? [problem("sheets_ignored", { found: name }, { count: tabs, name: visible(name) })]
      : []),
    ...(/<(?:[\w.-]+:)?f[\s>]/.test(text.value) ? [problem("formulas_read")] : []),
    ...(areas === "" ? [] : [problem("formats_by_condition", {}, { cells: visible(areas) })]),
    ...(names.some((part) => /vbaProject\.bin$/i.test(part)) ? [problem("macros_ignored")] : []),
  ];
  const signsAt = conditionalSigns(text.value, styles.value);
  const formatAt = (line: number, place: number) =>
    withSigns(marks.formatAt(line, place), signsAt(line, place));
  const filled = filledRows(rows, formatAt, mergesOf(text.value, columnsMax), is1904);
  const [head, ...below] = filled;
  if (!head && tabs > 1) {
    return err(problem("first_sheet_empty", { found: name }, { name: visible(name), count: tabs }));
  }
  return ok({
    headerLine: head?.line ?? 0,
    header: head?.cells ?? [],
    chunks: [...inChunks(below)],
    remarks: [
      ...hiddenProblems(filled, marks),
      ...strikethroughProblems(
        filled,
        strikethroughIn({ sheet: text.value, styles: styles.value, strings: strings.value ?? "" }),
      ),
      ...remarks,
    ],
  });
}

const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/**
 * Builds a workbook with only this sheet, so only verified parts are read. It has no number
 * formats: number-formats.ts detects dates, because it knows more formats than the reader.
 */
function archiveOf(sheet: Buffer, strings: string | null, formats: number): Buffer {
  const entry = (name: string, content: string) => ({
    name: `xl/${name}`,
    bytes: Buffer.from(content),
  });
  return storedZip([
    entry(
      "workbook.xml",
      `<workbook xmlns:r="${RELATION}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    entry(
      "_rels/workbook.xml.rels",
      `<Relationships><Relationship Id="rId1" Type="${RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    entry("styles.xml", `<styleSheet><cellXfs>${"<xf/>".repeat(formats)}</cellXfs></styleSheet>`),
    ...(strings === null ? [] : [entry("sharedStrings.xml", strings)]),
    { name: "xl/worksheets/sheet1.xml", bytes: sheet },
  ]);
}

/** Restores lost values. The reader ignores them and may cut off the end of a row or sheet. */
function restoreLostValues(rows: (Cell | Date)[][], values: readonly LostValue[]): void {
  for (const { line, place, lost } of values) {
    while (rows.length < line) rows.push([]);
    const row = rows[line - 1] ?? [];
    while (row.length < place) row.push(null);
    row[place] = { lost };
  }
}

function filledRows(
  rows: readonly (readonly (Cell | Date)[])[],
  formatAt: (line: number, place: number) => NumberFormat | undefined,
  coveredAt: (line: number) => readonly Covered[],
  is1904: boolean,
): readonly SheetRow[] {
  const filled: SheetRow[] = [];
  const isFilled = (line: number, place: number) => {
    const cell = rows[line - 1]?.[place] ?? null;
    return cell instanceof Date || !isBlank(cell);
  };
  /**
   * A covered cell is misread if it has content of its own, or if its area starts in an earlier row
   * with content. An empty covered cell in the first row of its area is read as empty.
   */
  const isMisread = (line: number, { place, by }: Covered) =>
    isFilled(line, place) || (by.line < line && isFilled(by.line, by.place));
  for (const [at, row] of rows.entries()) {
    const line = at + 1;
    const cells = row.map((cell, place) => plain(cell, formatAt(line, place), is1904));
    const covered = coveredAt(line)
      .filter((cell) => isMisread(line, cell))
      .map(({ place }) => place);
    if (cells.every(isBlank)) continue;
    filled.push(covered.length === 0 ? { line, cells } : { line, cells, covered });
  }
  return filled;
}

/**
 * Reports rows and columns that are read but not visible: a filter may hide rows that are not meant
 * to be paid.
 */
function hiddenProblems(filled: readonly SheetRow[], marks: Marks): readonly Problem[] {
  const rows = filled.filter(({ line }) => marks.isRowHidden(line)).length;
  const columns = (filled[0]?.cells ?? [])
    .filter((cell, place) => !isBlank(cell) && marks.isColumnHidden(place))
    .map((cell) => visible(typeof cell === "string" ? cell.trim() : "?"));
  return [
    ...(rows > 0 ? [problem("rows_hidden", {}, { count: rows })] : []),
    ...(columns.length > 0 ? [problem("columns_hidden", {}, { columns: columns.join(", ") })] : []),
  ];
}

/** Reports rows that are struck out, which may not be meant to be paid. */
function strikethroughProblems(
  filled: readonly SheetRow[],
  isStruckOut: (line: number, place: number) => boolean,
): readonly Problem[] {
  const { length: count } = filled.filter(({ line, cells }) =>
    cells.some((cell, place) => !isBlank(cell) && isStruckOut(line, place)),
  );
  return count > 0 ? [problem("rows_struck_out", {}, { count })] : [];
}

/** Returns whether a cell is empty or contains only blanks. */
export function isBlank(cell: Cell): boolean {
  if (typeof cell === "string") return cell.trim() === "";
  return cell === null || (typeof cell === "object" && "text" in cell && cell.text.trim() === "");
}

/** Returns whether the value of the cell is lost and unknown. */
export const isLost = (cell: Cell): cell is Pick<LostValue, "lost"> =>
  typeof cell === "object" && cell !== null && "lost" in cell;

const GENERAL = formatOf("General");

/** Adds the currency signs that a conditional format may show with the number. */
const withSigns = (
  format: NumberFormat | undefined,
  signs: readonly string[],
): NumberFormat | undefined =>
  signs.length === 0
    ? format
    : { ...(format ?? GENERAL), signs: [...(format?.signs ?? []), ...signs] };

function plain(cell: Cell | Date, format = GENERAL, is1904: boolean): Cell {
  if (cell instanceof Date) return { date: cell.toISOString().slice(0, 10) };
  if (typeof cell === "string") {
    return changesTexts(format) ? { text: cell, format: format.text } : cell;
  }
  if (typeof cell !== "object" || cell === null || !("written" in cell)) return cell;
  if (format.isDate) return { date: dayOf(cell.written, is1904) };
  return mayLookDifferent(format, cell.written) ? { ...cell, format } : cell;
}

const DAY_MS = 86_400_000;

/** Returns the date that a number of days denotes. */
function dayOf(days: string, is1904: boolean): string {
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const day = new Date(start + Number(days) * DAY_MS);
  return Number.isNaN(day.getTime()) ? days : day.toISOString().slice(0, 10);
}

function* inChunks(rows: readonly SheetRow[]): Generator<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    yield text.encode(JSON.stringify(rows.slice(at, at + CHUNK_ROWS)));
  }
}
