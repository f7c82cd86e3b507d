import { Button, Text, VisuallyHidden } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import type { Paging } from "../paging.ts";
import classes from "./data-table.module.css";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** To the right, in tabular figures. */
  readonly numeric?: boolean;
  /** What a row is called: its first cell, as a header. */
  readonly names?: boolean;
  /** The server can sort by it. */
  readonly sortable?: boolean;
  /** Its header speaks of settled payouts alone, so it may say paid. */
  readonly proven?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface DataTableProps<Row> {
  /** Says what is in the table; read out, and seen unless `hideCaption`. */
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly paging?: Paging;
  /** What stands in place of no rows. */
  readonly empty?: ReactNode;
}

/** Another page of a table is read from its top, and not from where its button stood. */
function toTop(region: HTMLElement | null): void {
  region?.scrollIntoView();
  region?.focus({ preventScroll: true });
}

/** A plain table in a region of its own that scrolls sideways. Sorting and paging are the server's. */
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
            {rows.length} on this page
          </Text>
          <Turns of={paging} what="page" region={region} />
        </div>
      ) : null}
    </div>
  );
}

/** The buttons that turn the pages of what is in a region. */
export function Turns({
  of,
  what,
  region,
}: {
  readonly of: Paging;
  readonly what: "page" | "rows";
  readonly region: RefObject<HTMLElement | null>;
}) {
  const turns = [
    ["First", of.onFirst],
    ["Previous", of.onPrevious],
    ["Next", of.onNext],
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
      {word} {what}
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
