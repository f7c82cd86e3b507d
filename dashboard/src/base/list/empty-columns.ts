/** The parts of a column that decide whether it is shown. */
interface OptionalColumn<Row> {
  readonly cell: (row: Row) => unknown;
  readonly isBlank?: (row: Row) => boolean;
  readonly isFixed?: boolean;
  readonly isHidden?: boolean;
}

/** Hides each column that may be hidden and has no value in any row, until the reader shows it. */
export const withoutEmpty = <Row, Each extends OptionalColumn<Row>>(
  columns: readonly Each[],
  rows: readonly Row[],
): readonly Each[] =>
  rows.length === 0
    ? columns
    : columns.map((column) =>
        column.isFixed || column.isHidden || rows.some((row) => hasValue(column, row))
          ? column
          : { ...column, isHidden: true },
      );

const EMPTY: ReadonlySet<unknown> = new Set([null, "", "–"]);

const hasValue = <Row>({ cell, isBlank }: OptionalColumn<Row>, row: Row): boolean =>
  !isBlank?.(row) && !EMPTY.has(cell(row));
