import type { TableOptions, TableReading } from "#intake/table/table-reader.ts";
import { REPLACEMENT_CHARACTER } from "#intake/text/error-values.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { exactText, textOf } from "#intake/workbook/cell-text.ts";
import { type Cell, isBlank, rowsIn } from "#intake/workbook/sheet.ts";
import { readSheetInThread } from "#intake/workbook/sheet-reader.ts";
import { namesOf, wholeFile } from "#intake/xlsx-reader.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { AmountStyle } from "#money/parse.ts";

/** Opens the first sheet of an XLSX file as a table. */
export async function openSheetTable(
  source: AsyncIterable<Uint8Array>,
  { limits, sender, amountStyle }: Required<TableOptions>,
): Promise<Result<TableReading, Problem>> {
  const open = () => wholeFile(source, limits.columnsMax);
  const read = await readSheetInThread(sender, open);
  if (!read.ok) return err(read.error);
  const { sheet, digest } = read.value;
  const names = namesOf(sheet.header);
  if (names.length === 0) return err(problem("file_empty"));
  let rows = 0;

  async function* walk() {
    for (const chunk of sheet.chunks) {
      const records = rowsIn(chunk)
        .filter(({ cells }) => !cells.every(isBlank))
        .map(({ line, cells }) => ({ line, cells: textsOf(cells, names.length, amountStyle) }));
      rows += records.length;
      if (records.length > 0) yield records;
    }
  }
  return ok({
    names,
    headerLine: sheet.headerLine,
    encoding: "XLSX",
    rows: walk(),
    end: () =>
      rows > limits.rowsMax
        ? err(problem("rows_too_many", {}, { limit: limits.rowsMax }))
        : ok({ digest, rows }),
  });
}

/** Returns at least one text for each column of the header. */
function textsOf(cells: readonly Cell[], columns: number, style: AmountStyle): readonly string[] {
  const width = Math.max(columns, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
  return Array.from({ length: width }, (_, place) => exactCell(cells[place] ?? null, style));
}

/** A number that has lost digits becomes the marker of a lost value, which no column accepts. */
const exactCell = (cell: Cell, style: AmountStyle): string =>
  cell !== null && typeof cell === "object" && "written" in cell && exactText(cell.written) === null
    ? REPLACEMENT_CHARACTER
    : textOf(cell, style);
