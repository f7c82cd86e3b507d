import { Button, Text, VisuallyHidden } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import type { Paging } from "../base/paging.ts";
import classes from "./data-table.module.css";
import { messages } from "./messages.tsx";

/** A column of a table: its header, and the cell of each row. */
export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, in tabular figures. */
  readonly numeric?: boolean;
  /** The header cell of the row. */
  readonly names?: boolean;
  /** The server can sort by it. */
  readonly sortable?: boolean;
  /** The column contains only settled payouts, so its header may say paid. */
  readonly proven?: boolean;
}

/** The order of a table, and the action that changes it. */
export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers, and for everyone unless `hideCaption`. */
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly paging?: Paging;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
}

/** Scrolls to the top of the table, where the next page starts. */
function toTop(region: HTMLElement | null): void {
  region?.scrollIntoView();
  region?.focus({ preventScroll: true });
}

/** A table in a region that scrolls sideways. The server sorts and pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, hideCaption, columns, rows, rowKey, empty, paging } = props;
  const region = useRef<HTMLDivElement>(null);
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div>
      <div ref={region} className={classes.region} role="region" aria-label={caption} tabIndex={0}>
        <table className={classes.table}>
          <caption className={hideCaption ? undefined : classes.caption}>
            {hideCaption ? <VisuallyHidden>{caption}</VisuallyHidden> : caption}
          </caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} {...props} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map(({ key, cell, numeric, names }) =>
                  names ? (
                    <th key={key} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={key} data-numeric={numeric || undefined}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {paging?.onFirst || paging?.onNext ? (
        <div className={classes.paging}>
          <Text size="sm" c="dimmed">
            {messages.table.rowsOnPage(rows.length)}
          </Text>
          <PagingButtons of={paging} what="page" region={region} />
        </div>
      ) : null}
    </div>
  );
}

/** The paging buttons of a region. */
export function PagingButtons({
  of,
  what,
  region,
}: {
  readonly of: Paging;
  readonly what: "page" | "rows";
  readonly region: RefObject<HTMLElement | null>;
}) {
  const texts = messages.table.turns[what];
  const turns = [
    [texts.first, of.onFirst],
    [texts.previous, of.onPrevious],
    [texts.next, of.onNext],
  ] as const;
  return turns.map(([word, turn]) => (
    <Button
      key={word}
      variant="default"
      size="xs"
      disabled={!turn}
      onClick={() => {
        turn?.();
        toTop(region.current);
      }}
    >
      {word}
    </Button>
  ));
}

function HeaderCell<Row>({
  column: { key, header, numeric, sortable, proven },
  sorting,
  onSort,
}: { readonly column: Column<Row> } & Pick<DataTableProps<Row>, "sorting" | "onSort">) {
  const sorted = sorting?.by === key;
  const direction = sorting?.descending ? "descending" : "ascending";
  const Arrow = sorting?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      data-numeric={numeric || undefined}
      data-proven={proven || undefined}
      aria-sort={sorted ? direction : undefined}
    >
      {sortable && onSort ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort({ by: key, descending: sorted && !sorting?.descending })}
        >
          {header}
          {sorted ? <Arrow size={14} aria-hidden /> : null}
        </button>
      ) : (
        header
      )}
    </th>
  );
}
