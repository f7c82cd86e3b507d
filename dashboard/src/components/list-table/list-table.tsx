/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   Some browsers drop the implicit roles of a table when cards change its `display`. */
import {
  type ColumnDef,
  getCoreRowModel,
  type RowSelectionState,
  type Table,
  useReactTable,
} from "@tanstack/react-table";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useRowShortcuts } from "../../base/shortcuts.ts";
import cards from "../data-table.module.css";
import { BulkBar } from "./bulk-bar.tsx";
import { type ColumnMeta, type ListColumn, type ListSort, visibleOf } from "./list-column.ts";
import { type Density, useListSettings } from "./list-settings.ts";
import classes from "./list-table.module.css";
import { ListBody } from "./list-body.tsx";
import { ListHead } from "./list-head.tsx";
import { MoreRows, type MoreRowsProps } from "./more-rows.tsx";
import { ViewControls } from "./view-controls.tsx";

interface ListTableProps<Row> {
  /** Names the settings of this table in the browser. */
  readonly id: string;
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The text of a row in the label of its checkbox. */
  readonly rowName?: (row: Row) => string;
  readonly sort?: ListSort;
  /** Search field and filter chips. */
  readonly toolbar?: ReactNode;
  /** The number and sums of all rows found, above the header. */
  readonly summary?: ReactNode;
  readonly more?: MoreRowsProps["more"];
  /** The actions for the selected rows. With it, each row has a checkbox. */
  readonly bulk?: (rows: readonly Row[]) => ReactNode;
  /** Shown instead of the rows of an empty list. */
  readonly empty: ReactNode;
}

/**
 * The table of every list: the reader sorts it, chooses its columns and row height, and selects
 * rows. It loads more rows at its end, draws only the visible ones, and shows cards on a phone.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { id, caption, columns, rows, toolbar, summary, more, bulk, empty, sort } = props;
  const [settings, change] = useListSettings(id);
  const table = useListModel(props, settings.columns);
  const region = useRowShortcuts<HTMLDivElement>();
  const body = useRef<HTMLTableSectionElement>(null);
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  return (
    <div className={classes.card}>
      <div className={classes.toolbar}>
        {toolbar}
        <ViewControls columns={columns} table={table} settings={settings} onChange={change} />
      </div>
      {summary ? <div className={classes.summary}>{summary}</div> : null}
      {rows.length === 0 ? (
        <div className={classes.empty}>{empty}</div>
      ) : (
        <div ref={region} role="region" aria-label={caption} className={classes.region}>
          <table
            role="table"
            className={`${classes.table} ${cards.cards}`}
            aria-label={caption}
            data-density={settings.density}
          >
            <Widths columns={visibleOf(table)} isSelectable={bulk !== undefined} />
            <ListHead table={table} sort={sort} isSelectable={bulk !== undefined} />
            <ListBody
              ref={body}
              table={table}
              rowName={bulk ? (props.rowName ?? props.rowKey) : undefined}
              rowPx={ROW_PX[settings.density]}
            />
          </table>
          <MoreRows shown={rows.length} more={more} />
        </div>
      )}
      {bulk && selected.length > 0 ? (
        <BulkBar count={selected.length} onClear={() => table.resetRowSelection()}>
          {bulk(selected)}
        </BulkBar>
      ) : null}
    </div>
  );
}

const ROW_PX: Readonly<Record<Density, number>> = { compact: 32, standard: 40, roomy: 52 };

function useListModel<Row>(
  { columns, rows, rowKey, bulk }: ListTableProps<Row>,
  chosen: Readonly<Record<string, boolean>>,
): Table<Row> {
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const definitions = useMemo<ColumnDef<Row>[]>(
    () =>
      columns.map((column) => ({
        id: column.key,
        enableHiding: column.isFixed !== true,
        meta: { column } satisfies ColumnMeta<Row>,
      })),
    [columns],
  );
  const preset = Object.fromEntries(columns.map(({ key, isHidden }) => [key, isHidden !== true]));
  return useReactTable<Row>({
    data: rows as Row[],
    columns: definitions,
    state: { columnVisibility: { ...preset, ...chosen }, rowSelection },
    enableRowSelection: bulk !== undefined,
    onRowSelectionChange: setRowSelection,
    getRowId: rowKey,
    getCoreRowModel: getCoreRowModel(),
  });
}

/** The widths of the columns, so that they stay the same while rows come and go. */
function Widths<Row>({
  columns,
  isSelectable,
}: {
  readonly columns: readonly ListColumn<Row>[];
  readonly isSelectable: boolean;
}) {
  const all = columns.reduce((sum, { width }) => sum + width, 0);
  return (
    <colgroup>
      {isSelectable ? <col className={classes.checkColumn} /> : null}
      {columns.map(({ key, width }) => (
        <col key={key} style={{ width: `${(width / all) * 100}%` }} />
      ))}
    </colgroup>
  );
}
