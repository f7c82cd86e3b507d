import type { Row as TableRow, Table } from "@tanstack/react-table";
import type { Column } from "../data-table.tsx";

/** A column of a list. */
export interface ListColumn<Row> extends Column<Row> {
  /** The share of the width of the table, in pixels at full width. */
  readonly width: number;
  /** The values of the list's sort order, for the first and the second click on the header. */
  readonly sort?: readonly string[];
  /** The column cannot be hidden. */
  readonly isFixed?: boolean;
  /** The column is hidden until the reader shows it. */
  readonly isHidden?: boolean;
}

/** The sort order of a list, and its change. The server sorts. */
export interface ListSort {
  readonly by: string;
  readonly onChange: (by: string) => void;
}

/** The column of this application behind a column of the library. */
export interface ColumnMeta<Row> {
  readonly column: ListColumn<Row>;
}

/** The visible columns in their order. */
export const visibleOf = <Row>(table: Table<Row>): readonly ListColumn<Row>[] =>
  table.getVisibleLeafColumns().map(({ columnDef }) => (columnDef.meta as ColumnMeta<Row>).column);

/** A row of the library's model. */
export type ListRow<Row> = TableRow<Row>;
