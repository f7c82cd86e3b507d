import { createHash } from "node:crypto";
import {
  type BatchReading,
  cameBack,
  notesOf,
  type ReadingOptions,
  warningsOf,
} from "#intake/file-reader.ts";
import { unitsOf } from "#intake/amount-limits.ts";
import { trimmed } from "#intake/cell-check.ts";
import type { Column } from "#intake/columns.ts";
import { foreignSign } from "#intake/workbook/currency-signs.ts";
import { OF_LOST_VALUES, withoutProblems, withProblems } from "#intake/rejected-row.ts";
import { isWholeHeader, knownColumn, placesOf, TITLE_LINES_MAX } from "#intake/header.ts";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { LOST } from "#intake/text/error-values.ts";
import { isRounded } from "#intake/workbook/number-formats.ts";
import { type Problem, type ProblemCode, problem } from "#intake/text/problems.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { type RowSettings } from "#intake/row-settings.ts";
import {
  type Cell,
  type FormattedText,
  isBlank,
  isLost,
  rowsIn,
  type Sheet,
  type SheetRow,
  tooLarge,
  type WrittenNumber,
} from "#intake/workbook/sheet.ts";
import { type SheetTask, sheetInThread, type ThreadLimits } from "#intake/workbook/sheet-reader.ts";
import { visible } from "#base/invisible-characters.ts";
import { AMOUNT_STYLES, type AmountStyle } from "#money/parse.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * Opens the first sheet of an XLSX file as a file of payouts, with the same rows and problems as a
 * CSV file. It also reports where a spreadsheet has converted text into a number or a date.
 */
export async function openWorkbook(
  source: AsyncIterable<Uint8Array>,
  settings: RowSettings,
  { limits = DEFAULT_FILE_LIMITS, isCorrection = false, sender = "" }: ReadingOptions,
  threadLimits?: ThreadLimits,
): Promise<Result<BatchReading, readonly Problem[]>> {
  const open = () => wholeFile(source, limits.columnsMax);
  const read = await sheetInThread(sender, open, threadLimits);
  if (!read.ok) return err([read.error]);
  const { sheet, digest } = read.value;
  const names = namesOf(sheet.header);
  if (names.length === 0) return err([problem("file_empty")]);
  const misplaced = names.some((name) => knownColumn(name)) ? null : misplacedHeader(sheet);
  if (misplaced) return err([misplaced]);
  const nameless = sheet.header.findIndex(isLost);
  if (nameless >= 0) {
    const values = { position: nameless + 1 };
    return err([problem("header_without_value", { line: sheet.headerLine }, values)]);
  }
  if (names.length > limits.columnsMax) {
    const values = { count: names.length, limit: limits.columnsMax };
    return err([problem("columns_too_many", { line: sheet.headerLine }, values)]);
  }
  const header = placesOf(names, sheet.headerLine);
  // With several sheets, report which one was read: in a Numbers workbook the first may be a
  // summary.
  if (header.problems.length > 0) return err([...header.problems, ...sheet.remarks]);
  const linePlace = isCorrection ? names.indexOf("line") : null;
  if (linePlace === -1) return err([problem("line_column_missing")]);

  const notes = [...notesOf(header.notes, isCorrection), ...sheet.remarks];
  const readRow = rowReader(names, header.places, settings);
  const columnAt = new Map([...header.places].map(([column, place]) => [place, column]));
  const placeOf = (column: Column) => header.places.get(column) ?? -1;
  const units = unitsOf(settings.crypto);
  let rows = 0;
  let rejected = 0;
  let warnings = 0;
  let broken: Problem | null = null;

  /** A formula outside the payouts, such as one that was filled down too far. */
  const isNobodys = (cell: Cell, place: number) => isLost(cell) && !columnAt.has(place);

  const judge = ({ line: here, cells, covered = [] }: SheetRow): Result<RowVerdict, Problem> => {
    const width = Math.max(names.length, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
    const texts = Array.from({ length: width }, (_, place) =>
      textOf(cells[place] ?? null, settings.amountStyle),
    );
    const record: CsvRecord = { cells: texts, line: here };
    const row = linePlace === null ? ok(record) : cameBack(record, linePlace);
    if (!row.ok) return row;
    const { cells: own, line } = row.value;
    const doubts = cells.flatMap((cell, place) => {
      const column = columnAt.get(place);
      return column === undefined ? [] : doubtOf(cell, column, line);
    });
    const currency = trimmed(texts, placeOf("currency_code"));
    const amount = cells[placeOf("transaction_amount")] ?? null;
    const foreign = units.has(currency) ? foreignDoubt(amount, currency, line) : [];
    const found = [...doubts, ...foreign];
    const merged = covered.flatMap((place) => {
      const column = columnAt.get(place);
      return column ? [problem("cell_merged", { line, column, found: texts[place] ?? "" })] : [];
    });
    const lost = found.filter(({ code }) => OF_LOST_VALUES.has(code)).map(({ column }) => column);
    const verdict = withProblems(withoutProblems(readRow(own, line), lost), [...found, ...merged]);
    rows += 1;
    if (verdict.kind === "rejected") rejected += 1;
    warnings += warningsOf(verdict);
    return ok(verdict);
  };

  async function* walk() {
    for (const chunk of sheet.chunks) {
      const verdicts: RowVerdict[] = [];
      for (const read of rowsIn(chunk)) {
        if (read.cells.every((cell, place) => isBlank(cell) || isNobodys(cell, place))) continue;
        const verdict = judge(read);
        if (!verdict.ok) {
          broken = verdict.error;
          return;
        }
        verdicts.push(verdict.value);
      }
      yield verdicts;
    }
    if (rows === 0) broken = problem("file_without_rows");
    else if (rows > limits.rowsMax) {
      broken = problem("rows_too_many", {}, { limit: limits.rowsMax });
    }
  }
  return ok({
    facts: { encoding: "XLSX", delimiter: ",", header: names, notes },
    rows: walk(),
    end: () => (broken ? err([broken]) : ok({ digest, rows, rejected, warnings, notes })),
  });
}

async function wholeFile(
  source: AsyncIterable<Uint8Array>,
  columnsMax: number,
): Promise<Result<SheetTask & { readonly digest: string }, Problem>> {
  const pieces: Uint8Array[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    // Compressed data is rarely larger than its content.
    if (bytes > UNPACKED_BYTES_MAX) return err(tooLarge());
    hash.update(piece);
    pieces.push(piece);
  }
  return ok({ file: joined(pieces, bytes), columnsMax, digest: hash.digest("hex") });
}

/** Copies the pieces into one separate buffer, which can be transferred to a thread. */
function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}

function namesOf(cells: readonly Cell[]): readonly string[] {
  const names = cells.map((cell) => textOf(cell, "plain").trim());
  return names.slice(0, names.findLastIndex((name) => name !== "") + 1);
}

/** Finds a header below a title, as in a CSV file (header.ts). Null: there is none. */
function misplacedHeader({ headerLine: line, chunks }: Sheet): Problem | null {
  const below = chunks.slice(0, 1).flatMap((chunk) => rowsIn(chunk));
  const header = below.find(
    (row) => row.line <= line + TITLE_LINES_MAX && isWholeHeader(namesOf(row.cells)),
  );
  if (!header) return null;
  const found = namesOf(header.cells).join(",");
  return problem("header_further_down", { line, found }, { position: header.line });
}

function textOf(cell: Cell, style: AmountStyle): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if ("date" in cell) return cell.date;
  if ("text" in cell) return cell.text;
  // The marker is refused in every cell that is read, also when the row is uploaded again.
  if ("lost" in cell) return cell.lost || LOST;
  return (exactText(cell.written) ?? cell.written).replace(".", AMOUNT_STYLES[style].point);
}

const WRITTEN = /^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i;

/** Below this value, 15 digits include at least three decimals. */
const CALCULATED_MAX = 1e12;

/**
 * Returns the exact decimal text of a number. A spreadsheet shows 15 digits and stores the nearest
 * binary fraction; a calculated value may be a different fraction with the same digits. Null: a
 * whole number that has, or had, more than 15 digits, the last of which became zeros; or not a
 * number.
 */
function exactText(written: string): string | null {
  // Other programs do not read 0x1F as a number.
  if (!WRITTEN.test(written)) return null;
  const value = Number(written);
  const kept = value.toPrecision(15);
  const isCalculated = !Number.isInteger(value) && Math.abs(value) < CALCULATED_MAX;
  if ((Number(kept) !== value && !isCalculated) || kept.includes("e")) return null;
  return kept.includes(".") ? kept.replace(/\.?0+$/, "") : kept;
}

function doubtOf(cell: Cell, column: Column, line: number): Problem[] {
  if (cell === null || typeof cell !== "object") return [];
  if ("lost" in cell) {
    const code = cell.lost === "" ? "formula_not_calculated" : "error_value";
    return [problem(code, { line, column, found: cell.lost || null })];
  }
  const at = { line, column, found: textOf(cell, "plain") };
  if ("date" in cell) return [problem("cell_is_a_date", at)];
  if ("text" in cell) return textDoubt(cell, column).map((code) => problem(code, at));
  if (exactText(cell.written) === null) return [problem("number_not_exact", at)];
  if (column === "transaction_code") return [problem("code_not_text", at)];
  if (column === "transaction_amount") return amountDoubt(cell).map((code) => problem(code, at));
  // No other column is a number, even if it consists of digits: anything before them is lost.
  return [problem(isShownLonger(cell) ? "digits_not_kept" : "number_not_text", at)];
}

/** Words next to an amount do not change it. Next to a code, they make it a different code. */
function textDoubt(
  { text, format: { isShown, own } }: FormattedText,
  column: Column,
): ProblemCode[] {
  if (text.trim() === "") return [];
  if (column !== "transaction_amount") return ["digits_not_kept"];
  return isShown && !/\p{N}/u.test(own) ? [] : ["amount_shown_otherwise"];
}

/** The amount is paid as the workbook stores it, so a viewer of the sheet must see that amount. */
function amountDoubt({ written, format }: WrittenNumber): ProblemCode[] {
  if (!format) return [];
  const { hasOwnDigits, isScaled, looksNegative, hasOwnPoint } = format;
  if (hasOwnDigits || isScaled || looksNegative || hasOwnPoint) return ["amount_shown_otherwise"];
  return isRounded(exactText(written) ?? "", format) ? ["amount_shown_rounded"] : [];
}

/**
 * The amount is paid in the currency of its row, so a viewer of the sheet must not see another one.
 */
function foreignDoubt(amount: Cell, currency: string, line: number): Problem[] {
  const sign = foreignSign(signsOf(amount), currency);
  if (sign === undefined) return [];
  const at = { line, column: "transaction_amount", found: textOf(amount, "plain") };
  return [problem("amount_in_other_currency", at, { sign: visible(sign), currency })];
}

function signsOf(cell: Cell): readonly string[] {
  if (cell === null || typeof cell !== "object") return [];
  if ("written" in cell) return cell.format?.signs ?? [];
  return "text" in cell ? cell.format.signs : [];
}

/**
 * Returns whether its format shows digits or letters that the number lacks, such as leading zeros,
 * or hides some of its digits.
 */
function isShownLonger({ written, format }: WrittenNumber): boolean {
  const digits = exactText(written) ?? "";
  if (!format || !/^\d+$/.test(digits)) return false;
  const { hasOwnDigits, hasOwnLetters, isScaled, digitsMin } = format;
  return hasOwnDigits || hasOwnLetters || isScaled || digits.length < digitsMin;
}
