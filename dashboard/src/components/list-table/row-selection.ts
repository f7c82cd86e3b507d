import { useDidUpdate, useSelection } from "@mantine/hooks";

/** The selected rows of a list. Only listed rows count. */
export interface RowSelection<Row> {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  /** Selects all listed rows, or none if all are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/**
 * Lets the reader select rows by their keys, also while more rows load. Other filters clear the
 * selection.
 */
export function useRowSelection<Row>(
  listed: readonly Row[],
  keyOf: (row: Row) => string,
  filters: string,
): RowSelection<Row> {
  const keys = listed.map(keyOf);
  const [chosen, { toggle, setSelection, resetSelection }] = useSelection<string>({ data: keys });
  useDidUpdate(resetSelection, [filters]);
  const selected = new Set(chosen);
  const rows = listed.filter((row) => selected.has(keyOf(row)));
  return {
    rows,
    has: (row) => selected.has(keyOf(row)),
    toggle: (row) => toggle(keyOf(row)),
    toggleAll: () => setSelection(rows.length === listed.length ? [] : keys),
    clear: resetSelection,
  };
}
