/* oxlint-disable jsx-a11y/no-redundant-roles --
   Some browsers drop the implicit roles of a table when cards change its `display`. */
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useIsPhone } from "../../base/use-is-phone.ts";
import { useRowShortcuts } from "../../base/shortcuts.ts";
import cards from "../cards.module.css";
import { useFoldedRows } from "../folded-rows.tsx";
import { InTable } from "../timestamp.tsx";
import { columnsFor, type ListColumn, type ListSort, visibleOf } from "./list-column.ts";
import { withoutEmpty } from "../../base/list/empty-columns.ts";
import { type Density, useListSettings } from "./list-settings.ts";
import classes from "./list-table.module.css";
import { ListBody } from "./list-body.tsx";
import { ListHead } from "./list-head.tsx";
import { messages } from "./messages.ts";
import { MoreRows, type MoreRowsProps } from "./more-rows.tsx";
import { type RowSelection, type SelectedRows, useRowSelection } from "./row-selection.ts";
import { ViewControls } from "./view-controls.tsx";

/** Loaded when rows are selected. */
const BulkBar = lazy(() => import("./bulk-bar.tsx"));

/** The actions for the selected rows of a list. */
export interface BulkActions<Row> {
  /** The number of rows that the filters find; null if it is too large to be counted. */
  readonly found: number | null;
  /** The reader may select everything that the filters find. */
  readonly isWholeAllowed: boolean;
  /** The buttons in the bar of the selected rows. */
  readonly buttons: (selected: SelectedRows<Row>) => ReactNode;
  /** The dialog of the chosen action. It stays open when the selected rows leave the list. */
  readonly dialog: ReactNode;
}

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
  /** The filters as text. A change clears the selection. */
  readonly filters: string;
  /** The reader's saved views, above the filters. */
  readonly views?: ReactNode;
  /** Search field and filter chips. */
  readonly toolbar?: ReactNode;
  /** The number and sums of all rows found, above the header. */
  readonly summary?: ReactNode;
  /** Null: the list has all rows, whose number is in the summary. */
  readonly more?: MoreRowsProps["more"] | null;
  /** The actions for the selected rows. With it, each row has a checkbox. */
  readonly bulk?: BulkActions<Row>;
  /** A card on a phone has two lines: title and amount, state and action. */
  readonly hasShortCards?: boolean;
  /** Shown instead of the rows of an empty list. */
  readonly empty: ReactNode;
}

/**
 * The table of every list: the reader sorts it, chooses its columns and row height, and selects
 * rows. It loads more rows at its end, draws only the visible ones, and shows cards on a phone.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { id, caption, rows, rowKey, more, bulk } = props;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const columns = withoutEmpty(columnsFor(props.columns, isNarrow), rows);
  const [settings, change] = useListSettings(id);
  const visible = visibleOf(columns, settings.columns);
  const selected = useRowSelection(rows, rowKey, props.filters);
  const isPhone = useIsPhone();
  const [isSelecting, setSelecting] = useState(false);
  // On a phone, checkboxes would take the room of the names.
  const selection = bulk && (!isPhone || isSelecting) ? selected : undefined;
  const region = useRowShortcuts<HTMLDivElement>();
  const clear = (): void => {
    selected.clear();
    region.current?.focus({ preventScroll: true });
  };
  const folded = useFoldedRows(rows);
  return (
    <div className={classes.card} data-folded={folded.isFolded || undefined}>
      {props.views}
      <div className={classes.toolbar}>
        {props.toolbar}
        <ViewControls columns={columns} settings={settings} onChange={change} />
      </div>
      {props.summary ? (
        <div className={classes.summary}>
          {props.summary}
          {bulk && isPhone && rows.length > 0 ? (
            <SelectButton
              isSelecting={isSelecting}
              onChange={(isOn) => {
                selected.clear();
                setSelecting(isOn);
              }}
            />
          ) : null}
        </div>
      ) : null}
      {rows.length === 0 ? (
        <div className={classes.empty}>{props.empty}</div>
      ) : (
        <div
          ref={region}
          role="region"
          aria-label={caption}
          tabIndex={0}
          className={classes.region}
        >
          <Rows
            {...props}
            columns={visible}
            density={settings.density}
            folded={folded}
            selection={selection}
          />
          {folded.button}
          {more === null ? null : <MoreRows shown={rows.length} more={more} />}
        </div>
      )}
      {bulk ? <SelectionBar bulk={bulk} selection={selected} onClear={clear} /> : null}
    </div>
  );
}

/** Shows the checkboxes of the rows on a phone. */
const SelectButton = ({
  isSelecting,
  onChange,
}: {
  readonly isSelecting: boolean;
  readonly onChange: (isSelecting: boolean) => void;
}) => (
  <Button
    variant="subtle"
    size="compact-sm"
    className={classes.select}
    aria-pressed={isSelecting}
    onClick={() => onChange(!isSelecting)}
  >
    {isSelecting ? messages.selectDone : messages.select}
  </Button>
);

/** The table itself: the head, and the rows that are visible. */
function Rows<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowName = rowKey,
  sort,
  more,
  hasShortCards = false,
  density,
  folded,
  selection,
}: ListTableProps<Row> & {
  readonly density: Density;
  readonly folded: Pick<ReturnType<typeof useFoldedRows<Row>>, "rows" | "isFolded">;
  readonly selection: RowSelection<Row> | undefined;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  return (
    <table
      role="table"
      className={`${classes.table} ${cards.cards}`}
      aria-label={caption}
      aria-rowcount={more ? -1 : rows.length + 1}
      data-density={density}
      data-short={hasShortCards || undefined}
    >
      <Widths columns={columns} isSelectable={selection !== undefined} />
      <ListHead columns={columns} sort={sort} rows={rows} selection={selection} />
      <InTable value>
        <ListBody
          ref={body}
          columns={columns}
          rows={folded.rows}
          isFolded={folded.isFolded}
          rowKey={rowKey}
          rowName={rowName}
          rowPx={ROW_PX[density]}
          selection={selection}
        />
      </InTable>
    </table>
  );
}

/** The bar of the selected rows, and the dialog of the chosen action. */
function SelectionBar<Row>({
  bulk: { found, isWholeAllowed, buttons, dialog },
  selection,
  onClear,
}: {
  readonly bulk: BulkActions<Row>;
  readonly selection: RowSelection<Row>;
  readonly onClear: () => void;
}) {
  const { rows, isWhole, selectWhole } = selection;
  return (
    <>
      {rows.length > 0 ? (
        <Suspense>
          <BulkBar
            count={rows.length}
            isWhole={isWhole}
            found={found}
            onWhole={isWholeAllowed ? selectWhole : undefined}
            onClear={onClear}
          >
            {buttons({ rows, isWhole, clear: onClear })}
          </BulkBar>
        </Suspense>
      ) : null}
      {dialog}
    </>
  );
}

/** Where a list is a table that does not fit all its columns. */
const NARROW = "screen and (min-width: 46em) and (max-width: 74em)";

const ROW_PX: Readonly<Record<Density, number>> = { compact: 32, standard: 40, spacious: 52 };

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
