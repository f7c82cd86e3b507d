import type { Column } from "../data-table.tsx";
import type { MoreRowsProps } from "./more-rows.tsx";

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
  /** The column is hidden in a narrow list, as on a tablet, until the reader shows it. */
  readonly isWide?: boolean;
}

/** The sort order of a list, and its change. The server sorts. */
export interface ListSort {
  readonly by: string;
  readonly onChange: (by: string) => void;
}

/** The columns for this width: a narrow list hides its wide columns at first. */
export const columnsFor = <Row>(
  columns: readonly ListColumn<Row>[],
  isNarrow: boolean,
): readonly ListColumn<Row>[] =>
  isNarrow
    ? columns.map((column) => (column.isWide ? { ...column, isHidden: true } : column))
    : columns;

/** The visible columns: those that the reader chose to show or hide, and the default of others. */
export const visibleOf = <Row>(
  columns: readonly ListColumn<Row>[],
  chosen: Readonly<Record<string, boolean>>,
): readonly ListColumn<Row>[] => columns.filter((column) => isVisible(column, chosen));

/** Returns whether a column is visible. */
export const isVisible = (
  { key, isFixed, isHidden }: Pick<ListColumn<never>, "key" | "isFixed" | "isHidden">,
  chosen: Readonly<Record<string, boolean>>,
): boolean => isFixed === true || (chosen[key] ?? isHidden !== true);

/** The rows that a page found, its filters, and their change. */
export interface ListProps<Row, Search, Summary> {
  readonly rows: readonly Row[];
  /** False: the rows could not be loaded. */
  readonly isLoaded: boolean;
  readonly search: Search;
  readonly summary: Summary | undefined;
  readonly more: MoreRowsProps["more"];
  readonly onSearch: (search: Search, change?: SearchChange) => void;
}

/** How the address of the page changes with a filter. */
export interface SearchChange {
  /** The new filters replace the earlier ones in the history of the browser. */
  readonly replace?: boolean;
}
