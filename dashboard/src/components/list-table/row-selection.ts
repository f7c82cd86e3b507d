import { useDidUpdate, useSelection } from "@mantine/hooks";
import { useState } from "react";

/** The selected rows of a list. */
export interface SelectedRows<Row> {
  /** The selected rows among the loaded ones. */
  readonly rows: readonly Row[];
  /** Every row that the filters find is selected, including rows that are not loaded. */
  readonly isWhole: boolean;
  readonly clear: () => void;
}

/** The selected rows of a list, and their change. */
export interface RowSelection<Row> extends SelectedRows<Row> {
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  /** Selects all loaded rows, or none if all are selected. */
  readonly toggleAll: () => void;
  /** Selects every row that the filters find. */
  readonly selectWhole: () => void;
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
  const [isWhole, setWhole] = useState(false);
  const [chosen, { toggle, setSelection }] = useSelection<string>({ data: keys });
  const select = (next: readonly string[]): void => {
    setWhole(false);
    setSelection([...next]);
  };
  useDidUpdate(() => select([]), [filters]);
  const selected = new Set(chosen);
  const has = (row: Row): boolean => isWhole || selected.has(keyOf(row));
  const rows = listed.filter(has);
  return {
    rows,
    isWhole,
    has,
    toggle: (row) => {
      if (isWhole) select(keys.filter((key) => key !== keyOf(row)));
      else toggle(keyOf(row));
    },
    toggleAll: () => select(rows.length === listed.length ? [] : keys),
    selectWhole: () => setWhole(true),
    clear: () => select([]),
  };
}
