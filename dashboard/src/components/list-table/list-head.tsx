/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   Some browsers drop the implicit roles of a table when cards change its `display`. */
import { Checkbox, UnstyledButton } from "@mantine/core";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import classes from "./list-table.module.css";
import type { ListColumn, ListSort } from "./list-column.ts";
import { messages } from "./messages.ts";
import type { RowSelection } from "./row-selection.ts";

/** The sticky header of a list, with the sort order and the checkbox for all rows. */
export function ListHead<Row>({
  columns,
  sort,
  rows,
  selection,
}: {
  readonly columns: readonly ListColumn<Row>[];
  readonly sort: ListSort | undefined;
  readonly rows: readonly Row[];
  /** Undefined: rows cannot be selected. */
  readonly selection: RowSelection<Row> | undefined;
}) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {selection ? (
          <th role="columnheader" scope="col" className={classes.check}>
            <Checkbox
              size="xs"
              aria-label={messages.selectAll}
              checked={selection.rows.length === rows.length}
              indeterminate={selection.rows.length > 0 && selection.rows.length < rows.length}
              onChange={selection.toggleAll}
            />
          </th>
        ) : null}
        {columns.map((column) => (
          <HeaderCell key={column.key} column={column} sort={sort} />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell<Row>({
  column: { header, numeric, proven, sort: orders = [] },
  sort,
}: {
  readonly column: ListColumn<Row>;
  readonly sort: ListSort | undefined;
}) {
  const at = sort ? orders.indexOf(sort.by) : -1;
  const shared = {
    role: "columnheader",
    scope: "col",
    "data-numeric": numeric || undefined,
    "data-proven": proven || undefined,
  } as const;
  if (!sort || orders.length === 0) return <th {...shared}>{header}</th>;
  const next = orders[at < 0 ? 0 : (at + 1) % orders.length] ?? sort.by;
  const Arrow = at < 0 ? ChevronsUpDown : at === 0 ? ArrowDown : ArrowUp;
  return (
    <th {...shared} aria-sort={at < 0 ? "none" : at === 0 ? "descending" : "ascending"}>
      <UnstyledButton className={classes.sort} onClick={() => sort.onChange(next)}>
        {header}
        <Arrow size={13} aria-hidden data-active={at >= 0 || undefined} />
      </UnstyledButton>
      <span className={classes.unsorted}>{header}</span>
    </th>
  );
}
