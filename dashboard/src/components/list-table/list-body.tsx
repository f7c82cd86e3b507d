/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   Some browsers drop the implicit roles of a table when cards change its `display`. */
import { Checkbox } from "@mantine/core";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, memo, type RefObject, useLayoutEffect, useState } from "react";
import { BodyCell, titleOf } from "../data-table.tsx";
import classes from "./list-table.module.css";
import type { ListColumn } from "./list-column.ts";
import { messages } from "./messages.ts";
import type { RowSelection } from "./row-selection.ts";

/** Shorter lists are drawn as a whole, so that the browser can search and print them. */
const WHOLE_ROWS_MAX = 100;
const OVERSCAN = 20;

/** The rows of a list. In a long list, only those near the screen are in the document. */
export function ListBody<Row>({
  ref,
  columns,
  rows,
  isFolded,
  rowKey,
  rowName,
  rowPx,
  selection,
}: {
  readonly ref: RefObject<HTMLTableSectionElement | null>;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  /** The list shows only its first rows, and does not grow. */
  readonly isFolded: boolean;
  readonly rowKey: (row: Row) => string;
  /** The text of a row in the label of its checkbox. */
  readonly rowName: (row: Row) => string;
  readonly rowPx: number;
  /** Undefined: rows cannot be selected. */
  readonly selection: RowSelection<Row> | undefined;
}) {
  const isWhole = rows.length <= WHOLE_ROWS_MAX;
  const top = useTopOf(ref, isFolded);
  // Short lists are measured as well, so that rows keep their places when the list grows.
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises this component
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), ref.current),
  });
  const near = virtual.getVirtualItems();
  const all = rows.map((_, index) => ({ index, start: 0, end: 0 }));
  const items = isWhole ? all : near;
  const drawn = items.flatMap(({ index, start }, place) => {
    const row = rows[index];
    const gap = isWhole ? 0 : start - (items[place - 1]?.end ?? top);
    return row === undefined ? [] : [{ row, index, gap }];
  });
  const after = isWhole ? 0 : virtual.getTotalSize() - ((near.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={ref} role="rowgroup">
      {drawn.map(({ row, index, gap }) => (
        <Fragment key={rowKey(row)}>
          <Space px={gap} />
          <BodyRow
            ref={isFolded ? null : virtual.measureElement}
            index={index}
            row={row}
            columns={columns}
            name={rowName(row)}
            selection={selection}
          />
        </Fragment>
      ))}
      <Space px={after} />
    </tbody>
  );
}

/** Keeps the row with the focus in the document, so that the reader does not lose the place. */
function withFocused(range: readonly number[], body: HTMLElement | null): number[] {
  const row = document.activeElement?.closest<HTMLElement>("tr[data-index]");
  const index = row && body?.contains(row) ? Number(row.dataset["index"]) : undefined;
  return index === undefined || range.includes(index)
    ? [...range]
    : [...range, index].toSorted((a, b) => a - b);
}

/** The distance of the rows from the top of the document. */
function useTopOf(ref: RefObject<HTMLElement | null>, isFolded: boolean): number {
  const [top, setTop] = useState(0);
  // Filters and sums above the rows change their place.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- an unchanged number ends the chain
  useLayoutEffect(() => {
    // The place of rows that are all drawn is not used, and asking for it takes a phone long.
    const box = isFolded ? undefined : ref.current?.getBoundingClientRect();
    if (box) setTop(Math.round(box.top + globalThis.scrollY));
  });
  return top;
}

/** The room of the rows that are not in the document. */
const Space = ({ px }: { readonly px: number }) =>
  px > 0 ? <tr aria-hidden className={classes.space} style={{ height: px }} /> : null;

/** Drawn once: measuring the rows draws the list again, without a change of its rows. */
const BodyRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row>({
  ref,
  index,
  row,
  columns,
  name,
  selection,
}: {
  readonly ref: ((row: HTMLElement | null) => void) | null;
  readonly index: number;
  readonly row: Row;
  readonly columns: readonly ListColumn<Row>[];
  readonly name: string;
  readonly selection: RowSelection<Row> | undefined;
}) {
  const titleKey = titleOf(columns);
  return (
    <tr
      ref={ref}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selection?.has(row)}
    >
      {selection ? (
        <td role="cell" className={classes.check} data-card="check">
          <Checkbox
            size="xs"
            aria-label={messages.selectRow(name)}
            checked={selection.has(row)}
            onChange={() => selection.toggle(row)}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <BodyCell key={column.key} row={row} column={column} titleKey={titleKey} />
      ))}
    </tr>
  );
}
