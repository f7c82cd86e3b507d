import type { QueryClient } from "@tanstack/react-query";
import { columnName } from "../../../../components/payout/column-messages.ts";
import type { Answer } from "../../../../server/client.ts";

type RowsPage = Answer<"GET /api/batches/:id/rows">;

/** Number of rows that the page of a file offers for correction. */
export const EDITABLE_ROWS_MAX = 100;

export type WrongRow = RowsPage["items"][number];
export type RowProblem = WrongRow["problems"][number];

/** The operation that checks new values of a row. */
export const ROW_CHECK = "POST /api/batches/:id/rows/check";

/**
 * Loads all data again after rows have changed, except for the checks of rows. They would fail,
 * because the server no longer has the findings of the changed rows.
 */
export const reloadRows = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== ROW_CHECK });

/** The key of the mutation that stores new values. No row is checked meanwhile. */
export const savingOf = (batchId: string): readonly string[] => [
  "POST /api/batches/:id/rows/correct",
  batchId,
];

/** New values by line and name of the column. */
export type Edits = ReadonlyMap<number, Readonly<Record<string, string>>>;

export type Severity = RowProblem["severity"];

/** A cell with an error or a warning, and the position of its column in the file. */
export interface WrongCell {
  readonly row: WrongRow;
  /** payrun's name of the column. */
  readonly column: string;
  /** The name of the column in the list of rows, which the API expects. */
  readonly header: string;
  /** The name of the column in the uploaded file. */
  readonly ownName: string;
  readonly text: string;
  readonly problems: readonly RowProblem[];
}

/** A column of the file: its name in the file, and payrun's name; null if it is ignored. */
export interface FileColumn {
  readonly name: string;
  readonly column: string | null;
}

/** Whether a cell has an error. Otherwise, it has only warnings. */
export const hasError = ({ problems }: Pick<WrongCell, "problems">): boolean =>
  problems.some(({ severity }) => severity === "error");

/**
 * Returns the cells of a row with errors or warnings, one for each column. Cells with errors come
 * first, and in each cell its errors come before its warnings.
 */
export function wrongCells(
  row: WrongRow,
  headers: readonly string[],
  columns: readonly FileColumn[],
): readonly WrongCell[] {
  const found = Map.groupBy(row.problems, ({ severity }) => severity);
  const named = Map.groupBy(
    [...(found.get("error") ?? []), ...(found.get("warning") ?? [])],
    ({ column }) => column,
  );
  return [...named].flatMap(([column, problems]) => {
    const place = columns.findIndex((each) => each.column === column);
    const header = headers[place];
    if (column === null || header === undefined) return [];
    const ownName = ownNames(columns).get(column) || header;
    return [{ row, column, header, ownName, text: row.cells[place] ?? "", problems }];
  });
}

/**
 * The names of the columns in the file, by payrun's names. In a file with names of its own, a
 * column with payrun's name was added, and has the name for people.
 */
export function ownNames(columns: readonly FileColumn[]): ReadonlyMap<string, string> {
  const hasOwn = columns.some(({ name, column }) => column !== null && column !== name);
  return new Map(
    columns.flatMap(({ name, column }) =>
      column === null ? [] : [[column, hasOwn && column === name ? columnName(column) : name]],
    ),
  );
}

/** Names the columns in a text as the uploader's file does, and missing ones in words. */
export const inOwnNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(/[a-z]+(?:_[a-z]+)+/g, (word) => names.get(word) ?? columnName(word));

const CELLS_PER_PAGE = 8;
/** A few cells more are shown on the last page instead of on a page of their own. */
const CELLS_MORE_MAX = 4;

/** Divides wrong cells into pages of several cells, or into one page for each row. */
export function cellPages(
  cells: readonly WrongCell[],
  by: "row" | "many",
): readonly (readonly WrongCell[])[] {
  const rest = CELLS_PER_PAGE - CELLS_MORE_MAX - 1;
  const last = Math.max(Math.floor((cells.length + rest) / CELLS_PER_PAGE), 1) - 1;
  const pages = Map.groupBy(cells, (cell, at) =>
    by === "row" ? cell.row.line : Math.min(Math.floor(at / CELLS_PER_PAGE), last),
  );
  return [...pages.values()];
}

/** Adds a new value. A value that is the same as in the file is no edit. */
export function withEdit(edits: Edits, { row, header, text }: WrongCell, value: string): Edits {
  const { [header]: _, ...others } = edits.get(row.line) ?? {};
  const values = value === text ? others : { ...others, [header]: value };
  const next = new Map(edits);
  if (Object.keys(values).length === 0) next.delete(row.line);
  else next.set(row.line, values);
  return next;
}

/** A cell with its new value. */
export interface CellEdit {
  readonly cell: WrongCell;
  readonly value: string;
}
