import { readSheet } from "read-excel-file/node";
import { gridProblem } from "#batch/grid.ts";
import { UNPACKED_BYTES_MAX } from "#batch/limits.ts";
import { lostValue } from "#batch/lost-values.ts";
import { type Problem, problem } from "#batch/problems.ts";
import { storedZip, unpackWithin, type ZipEntry } from "#batch/zip.ts";
import { err, ok, type Result } from "#result.ts";

const CHUNK_ROWS = 500;

/** A number as the workbook writes it; it becomes text only where it is exact. */
interface WrittenNumber {
  readonly written: string;
}
export type Cell = string | boolean | { readonly date: string } | WrittenNumber | null;

interface SheetRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Sheet {
  readonly headerLine: number;
  readonly header: readonly Cell[];
  /**
   * The rows with content, some hundred in each piece. As bytes they pass from one thread to another without being
   * copied, and each is opened when its turn comes: opening all of them would take seconds.
   */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly remarks: readonly Problem[];
}

export const rowsIn = (chunk: Uint8Array): readonly SheetRow[] =>
  JSON.parse(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("utf8"));

export const tooLarge = (): Problem =>
  problem("workbook_too_large", {}, { limit: UNPACKED_BYTES_MAX });

/** Reads the first sheet of a workbook. It takes seconds of a processor without a pause. */
export async function sheetOf(file: Buffer, columnsMax: number): Promise<Result<Sheet, Problem>> {
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
    return err(
      unpacked.error === "too_large" ? tooLarge() : problem("workbook_broken", {}, { why }),
    );
  }
  if (sheets === 0) {
    return err(problem("file_not_text", {}, { kind: "a ZIP archive that holds no sheet" }));
  }
  try {
    const rows = (await readSheet(storedZip(parts), {
      trim: false,
      parseNumber: (written: string) => ({ written }),
    })) as unknown as readonly (readonly (Cell | Date)[])[];
    const remarks = [
      ...(sheets > 1 ? [problem("sheets_ignored", { found: name }, { count: sheets, name })] : []),
      ...(hasFormulas ? [problem("formulas_read")] : []),
      ...(hasMacros ? [problem("macros_ignored")] : []),
    ];
    return ok({ ...packed(rows), remarks });
  } catch (error) {
    const why = unfit ?? (error instanceof Error ? error.message : "its sheet is damaged");
    return err(problem("workbook_broken", {}, { why }));
  }
}

function packed(rows: readonly (readonly (Cell | Date)[])[]): Omit<Sheet, "remarks"> {
  const headerAt = rows.findIndex((cells) => cells.some((cell) => cell !== null));
  const filled: SheetRow[] = [];
  for (let at = Math.max(headerAt, 0); at < rows.length; at += 1) {
    const cells = rows[at]?.map(plain) ?? [];
    if (cells.some((cell) => cell !== null && cell !== "")) filled.push({ line: at + 1, cells });
  }
  const [head, ...below] = filled;
  return { headerLine: headerAt + 1, header: head?.cells ?? [], chunks: [...inChunks(below)] };
}

const plain = (cell: Cell | Date): Cell =>
  cell instanceof Date ? { date: cell.toISOString().slice(0, 10) } : cell;

function* inChunks(rows: readonly SheetRow[]): Generator<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    yield text.encode(JSON.stringify(rows.slice(at, at + CHUNK_ROWS)));
  }
}
