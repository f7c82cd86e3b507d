/** A wrong cell of a row. */
interface Cell {
  readonly row: { readonly cells: readonly string[] };
  /** The name of the column in the uploaded file. */
  readonly ownName: string;
  readonly text: string;
  readonly problems: readonly { readonly code: string }[];
}

/** Cells of one column that are empty in several rows. Another column may hold their values. */
export interface EmptyColumn<Of extends Cell> {
  readonly ownName: string;
  readonly cells: readonly Of[];
}

/** Returns the columns whose wrong cells are empty in at least two rows. */
export function emptyColumns<Of extends Cell>(cells: readonly Of[]): readonly EmptyColumn<Of>[] {
  const empty = cells.filter(
    ({ text, problems }) => text === "" && problems.some(({ code }) => code === "value_missing"),
  );
  return [...Map.groupBy(empty, ({ ownName }) => ownName)]
    .filter(([, of]) => of.length > 1)
    .map(([ownName, of]) => ({ ownName, cells: of }));
}

/** Returns new values for empty cells from the column of the file at a position. */
export const filledFrom = <Of extends Cell>(
  cells: readonly Of[],
  place: number,
): readonly { readonly cell: Of; readonly value: string }[] =>
  cells.flatMap((cell) => {
    const value = cell.row.cells[place]?.trim() ?? "";
    return value === "" ? [] : [{ cell, value }];
  });
