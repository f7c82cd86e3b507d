import type { MoreRowsProps } from "./more-rows.tsx";

/** The rows that a page found, its filters, and their change. */
export interface ListProps<Row, Search, Summary> {
  readonly rows: readonly Row[];
  /** False: the rows could not be loaded. */
  readonly isLoaded: boolean;
  readonly search: Search;
  readonly summary: Summary | undefined;
  readonly more: MoreRowsProps["more"];
  readonly onSearch: (search: Search) => void;
}
