import { createHash } from "node:crypto";
import { readSheet } from "read-excel-file/node";
import {
  type BatchReading,
  cameBack,
  notesOf,
  type ReadingOptions,
  warningsOf,
} from "#batch/batch.ts";
import { COLUMNS, type Column } from "#batch/columns.ts";
import { gridProblem } from "#batch/grid.ts";
import { placesOf } from "#batch/header.ts";
import { DEFAULT_FILE_LIMITS } from "#batch/limits.ts";
import { lostValue } from "#batch/lost-values.ts";
import { type Problem, problem } from "#batch/problems.ts";
import type { CsvRecord } from "#batch/records.ts";
import { rowReader, type RowSettings, type RowVerdict } from "#batch/row.ts";
import { storedZip, unpackWithin, type ZipEntry } from "#batch/zip.ts";
import { AMOUNT_STYLES, type AmountStyle } from "#money/parse.ts";
import { err, ok, type Result } from "#result.ts";

/** A workbook is held in memory as a whole: some 100,000 rows. */
const UNPACKED_BYTES_MAX = 64 * 1024 ** 2;
const CHUNK_ROWS = 500;

/** A number as the workbook writes it; it becomes text only where it is exact. */
interface WrittenNumber {
  readonly written: string;
}
type Cell = string | boolean | Date | WrittenNumber | null;

/** Columns whose content is no number, though it may be of digits: there a number has lost what stood before it. */
const TEXT_COLUMNS: ReadonlySet<Column> = new Set(
  COLUMNS.filter((column) => column !== "transaction_amount"),
);

/**
 * Opens the first sheet of an XLSX file as a file of payouts: the same rows, the same problems. Beside them it says
 * where a spreadsheet has made a number or a date of what should be text.
 */
export async function openWorkbook(
  source: AsyncIterable<Uint8Array>,
  settings: RowSettings,
  { limits = DEFAULT_FILE_LIMITS, isCorrection = false }: ReadingOptions,
): Promise<Result<BatchReading, readonly Problem[]>> {
  const read = await readWorkbook(source, limits.columnsMax);
  if (!read.ok) return err([read.error]);
  const { sheet, digest, remarks } = read.value;
  const headerAt = sheet.findIndex((cells) => cells.some((cell) => cell !== null));
  const names = (sheet[headerAt] ?? []).map((cell) => textOf(cell, "plain").trim());
  while (names.at(-1) === "") names.pop();
  if (names.length === 0) return err([problem("file_empty")]);
  if (names.length > limits.columnsMax) {
    const values = { count: names.length, limit: limits.columnsMax };
    return err([problem("columns_too_many", { line: headerAt + 1 }, values)]);
  }
  const header = placesOf(names, headerAt + 1);
  if (header.problems.length > 0) return err(header.problems);
  const linePlace = isCorrection ? names.indexOf("line") : null;
  if (linePlace === -1) return err([problem("line_column_missing")]);

  const notes = [...notesOf(header.notes, isCorrection), ...remarks];
  const readRow = rowReader(names, header.places, settings);
  const columnAt = new Map([...header.places].map(([column, place]) => [place, column]));
  let rows = 0;
  let rejected = 0;
  let warnings = 0;
  let broken: Problem | null = null;

  const judge = (cells: readonly Cell[], here: number): RowVerdict | null => {
    const texts = names.map((_, place) => textOf(cells[place] ?? null, settings.amountStyle));
    const record: CsvRecord = { cells: texts, line: here };
    const back = linePlace === null ? ok([record]) : cameBack([record], linePlace);
    if (!back.ok) {
      broken = back.error;
      return null;
    }
    const [{ cells: own, line } = record] = back.value;
    const found = cells.flatMap((cell, place) => {
      const column = columnAt.get(place);
      return column === undefined ? [] : doubtOf(cell, column, line);
    });
    const verdict = withProblems(readRow(own, line), found);
    rows += 1;
    if (verdict.kind === "rejected") rejected += 1;
    warnings += warningsOf(verdict);
    return verdict;
  };

  async function* walk() {
    for (let at = headerAt + 1; at < sheet.length; at += CHUNK_ROWS) {
      const chunk: RowVerdict[] = [];
      for (const [place, cells] of sheet.slice(at, at + CHUNK_ROWS).entries()) {
        if (cells.every((cell) => cell === null || cell === "")) continue;
        const verdict = judge(cells, at + place + 1);
        if (!verdict) return;
        chunk.push(verdict);
      }
      if (chunk.length > 0) yield chunk;
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

interface Workbook {
  readonly sheet: readonly (readonly Cell[])[];
  readonly digest: string;
  readonly remarks: readonly Problem[];
}

async function readWorkbook(
  source: AsyncIterable<Uint8Array>,
  columnsMax: number,
): Promise<Result<Workbook, Problem>> {
  const tooLarge = problem("workbook_too_large", {}, { limit: UNPACKED_BYTES_MAX });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    // What is packed is hardly ever larger than what comes out of it.
    if (bytes > UNPACKED_BYTES_MAX) return err(tooLarge);
    pieces.push(piece);
  }
  const file = Buffer.concat(pieces);
  let sheets = 0;
  let name = "";
  let hasFormulas = false;
  let hasMacros = false;
  const parts: ZipEntry[] = [];
  let unfit: string | null = null;
  const unpacked = await unpackWithin(file, UNPACKED_BYTES_MAX, (entry) => {
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(entry.name)) {
      sheets += 1;
      hasFormulas ||= entry.bytes.includes("<f>") || entry.bytes.includes("<f ");
    }
    if (entry.name === "xl/workbook.xml") {
      name = /<sheet [^>]*name="([^"]*)"/.exec(entry.bytes.toString("utf8"))?.[1] ?? "";
    }
    hasMacros ||= /vbaProject\.bin$/i.test(entry.name);
    // Only one sheet is read, and only its reader knows which: it does not find those that may not be.
    const lost = lostValue(entry.bytes);
    const why =
      gridProblem(entry.bytes, columnsMax) ??
      (lost && `cell ${lost} shows an error, or a formula that was never calculated`);
    unfit ??= why;
    if (why === null && /\.(?:xml|rels)$/.test(entry.name)) parts.push(entry);
  });
  if (!unpacked.ok) {
    const why = "its archive is damaged";
    return err(unpacked.error === "too_large" ? tooLarge : problem("workbook_broken", {}, { why }));
  }
  if (sheets === 0) {
    return err(problem("file_not_text", {}, { kind: "a ZIP archive that holds no sheet" }));
  }
  try {
    const sheet = (await readSheet(storedZip(parts), {
      trim: false,
      parseNumber: (written: string) => ({ written }),
    })) as unknown as readonly (readonly Cell[])[];
    const remarks = [
      ...(sheets > 1 ? [problem("sheets_ignored", { found: name }, { count: sheets, name })] : []),
      ...(hasFormulas ? [problem("formulas_read")] : []),
      ...(hasMacros ? [problem("macros_ignored")] : []),
    ];
    return ok({ sheet, digest: createHash("sha256").update(file).digest("hex"), remarks });
  } catch (error) {
    const why = unfit ?? (error instanceof Error ? error.message : "its sheet is damaged");
    return err(problem("workbook_broken", {}, { why }));
  }
}

function textOf(cell: Cell, style: AmountStyle): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return (exactText(cell.written) ?? cell.written).replace(".", AMOUNT_STYLES[style].point);
}

/**
 * A spreadsheet keeps 15 digits of a number, and writes the nearest fraction of two for them. Null: there are more, or
 * were: of a longer number it keeps zeros in the place of its last digits.
 */
function exactText(written: string): string | null {
  const value = Number(written);
  const kept = value.toPrecision(15);
  if (Number(kept) !== value || kept.includes("e")) return null;
  return kept.includes(".") ? kept.replace(/\.?0+$/, "") : kept;
}

function doubtOf(cell: Cell, column: Column, line: number): Problem[] {
  if (cell === null || typeof cell !== "object") return [];
  const at = { line, column, found: textOf(cell, "plain") };
  if (cell instanceof Date) return [problem("cell_is_a_date", at)];
  if (exactText(cell.written) === null) return [problem("number_not_exact", at)];
  if (column === "transaction_code") return [problem("code_not_text", at)];
  return TEXT_COLUMNS.has(column) ? [problem("number_not_text", at)] : [];
}

function withProblems(verdict: RowVerdict, found: readonly Problem[]): RowVerdict {
  if (found.length === 0) return verdict;
  if (verdict.kind === "rejected") return { ...verdict, problems: [...verdict.problems, ...found] };
  const { line, cells, warnings } = verdict;
  const problems = [...warnings, ...found];
  return found.some(({ severity }) => severity === "error")
    ? { kind: "rejected", line, cells, problems }
    : { ...verdict, warnings: problems };
}
