/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   Some browsers drop the implicit roles of a table when cards change its `display`. */
import { Button, Text, VisuallyHidden } from "@mantine/core";
import { type ComponentProps, type ReactNode, type RefObject, useRef } from "react";
import type { Paging } from "../base/list/paging.ts";
import classes from "./data-table.module.css";
import cards from "./cards.module.css";
import { type FoldLimits, useFoldedRows } from "./folded-rows.tsx";
import { messages } from "./messages.tsx";
import { InTable } from "./timestamp.tsx";

/** The place of a cell in the card that a narrow screen shows instead of a row. */
type CardPlace = "title" | "amount" | "state" | "action" | "none";

/** A column of a table: its header, and the cell of each row. */
export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  /** A sign before the header, which screen readers skip. */
  readonly sign?: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, in tabular figures. */
  readonly numeric?: boolean;
  /** The header cell of the row. */
  readonly names?: boolean;
  /** A narrow table, as on a tablet, leaves out the column. */
  readonly isMinor?: boolean;
  /** The column contains only settled payouts, so its header may say paid. */
  readonly proven?: boolean;
  /**
   * The place in a card. Without it, the cell is a line with its header as label; a card omits
   * "none". The header cell is the title if no column is.
   */
  readonly card?: CardPlace;
  /** Returns whether a card omits the cell. Cards also omit cells without text and with "–". */
  readonly isBlank?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers, and for everyone unless `hideCaption`. */
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The last row, with the sums of the others. */
  readonly total?: Row | undefined;
  readonly paging?: Paging;
  /** The table scrolls sideways if its columns do not fit. Other tables fit on a wide screen. */
  readonly isWide?: boolean;
  /** How many rows are first shown; none: up to twelve on a phone, all on a wide screen. */
  readonly fold?: FoldLimits;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
}

/** Scrolls to the top of the table, where the next page starts. */
function toTop(region: HTMLElement | null): void {
  region?.scrollIntoView();
  region?.focus({ preventScroll: true });
}

/** A table whose rows are cards on a narrow screen. The server sorts and pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, hideCaption, columns, rows, rowKey, total, empty, paging, isWide, fold } = props;
  const region = useRef<HTMLDivElement>(null);
  const folded = useFoldedRows(rows, fold);
  if (rows.length === 0 && empty !== undefined) return empty;
  const titleKey = titleOf(columns);
  return (
    <div className={classes.root}>
      <TableRegion name={caption} region={region} isWide={isWide}>
        <caption className={hideCaption ? undefined : classes.caption}>
          {hideCaption ? <VisuallyHidden>{caption}</VisuallyHidden> : caption}
        </caption>
        <TableHead>
          {columns.map((column) => (
            <HeaderCell
              key={column.key}
              header={column.header}
              sign={column.sign}
              numeric={column.numeric}
              proven={column.proven}
              isMinor={column.isMinor}
            />
          ))}
        </TableHead>
        <TableBody>
          {folded.rows.map((row) => (
            <TableRow key={rowKey(row)}>
              {columns.map((column) => (
                <BodyCell key={column.key} row={row} column={column} titleKey={titleKey} />
              ))}
            </TableRow>
          ))}
          {total === undefined ? null : (
            <TableRow data-total>
              {columns.map((column) => (
                <BodyCell key={column.key} row={total} column={column} titleKey={titleKey} />
              ))}
            </TableRow>
          )}
        </TableBody>
      </TableRegion>
      {folded.button}
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

/** The key of the column that is the title of a card. */
export const titleOf = <Row,>(columns: readonly Column<Row>[]): string | undefined =>
  (columns.find(({ card }) => card === "title") ?? columns.find(({ names }) => names))?.key;

/**
 * The frame of a table: a region that receives the focus and, if the table is wider, scrolls
 * sideways.
 */
export function TableRegion({
  name,
  region,
  isWide,
  children,
}: {
  readonly name: string;
  readonly region: RefObject<HTMLDivElement | null>;
  readonly isWide?: boolean | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.frame}>
      <div
        ref={region}
        className={classes.region}
        role="region"
        aria-label={name}
        tabIndex={0}
        data-wide={isWide || undefined}
      >
        <table role="table" className={`${classes.table} ${cards.cards}`}>
          <InTable value>{children}</InTable>
        </table>
      </div>
    </div>
  );
}

/** The row of header cells. */
export const TableHead = ({ children }: { readonly children: ReactNode }) => (
  <thead role="rowgroup">
    <TableRow>{children}</TableRow>
  </thead>
);

/** The group of body rows. */
export const TableBody = ({ children }: { readonly children: ReactNode }) => (
  <tbody role="rowgroup">{children}</tbody>
);

/** A row of cells. */
export const TableRow = (props: ComponentProps<"tr">) => <tr role="row" {...props} />;

/** The header of one column. */
export const HeaderCell = ({
  header,
  sign,
  numeric,
  proven,
  isMinor,
}: {
  readonly header: string;
  readonly sign?: string | undefined;
  readonly numeric?: boolean | undefined;
  readonly proven?: boolean | undefined;
  readonly isMinor?: boolean | undefined;
}) => (
  <th
    scope="col"
    role="columnheader"
    data-numeric={numeric || undefined}
    data-proven={proven || undefined}
    data-minor={isMinor || undefined}
  >
    {sign === undefined ? null : <span aria-hidden>{sign} </span>}
    {header}
  </th>
);

/** The cell of one row and column. */
export function BodyCell<Row>({
  row,
  column: { key, header, cell, numeric, names, card, isBlank, isMinor },
  titleKey,
}: {
  readonly row: Row;
  readonly column: Column<Row>;
  readonly titleKey: string | undefined;
}) {
  const content = cell(row);
  const isEmpty = content === null || content === "" || content === "–";
  return (
    <TableCell
      label={header}
      names={names}
      numeric={numeric}
      card={key === titleKey ? "title" : card}
      isBlank={isEmpty || isBlank?.(row)}
      isMinor={isMinor}
    >
      {content}
    </TableCell>
  );
}

/** One cell. `label` is the header of its column, which a card shows next to it. */
export function TableCell({
  label,
  names,
  numeric,
  card,
  isBlank,
  isMinor,
  className,
  children,
}: {
  readonly label: string;
  readonly names?: boolean | undefined;
  readonly numeric?: boolean | undefined;
  readonly card?: CardPlace | undefined;
  readonly isBlank?: boolean | undefined;
  readonly isMinor?: boolean | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const shared = {
    className,
    "data-numeric": numeric || undefined,
    "data-label": label,
    "data-card": card,
    "data-blank": isBlank || undefined,
    "data-minor": isMinor || undefined,
  };
  const value = <div className={cards.value}>{children}</div>;
  return names ? (
    <th scope="row" role="rowheader" {...shared}>
      {value}
    </th>
  ) : (
    <td role="cell" {...shared}>
      {value}
    </td>
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
