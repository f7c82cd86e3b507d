import { Button, Group, Pagination, Text } from "@mantine/core";
import { useState } from "react";
import { useIsPhone } from "../../../../base/use-is-phone.ts";
import { CellRepair } from "./cell-repair.tsx";
import type { LeaveOut } from "./leave-out.tsx";
import { messages as texts } from "./messages.tsx";
import { cellPages, type CellEdit, type Edits, type Severity, type WrongCell } from "./values.ts";
import classes from "./repair.module.css";

/** One page of the wrong cells; on a phone, those of one row. */
export function CellList({
  batchId,
  severity,
  cells,
  columnNames,
  namePlace,
  leaveOut,
  edits,
  onChange,
}: {
  readonly batchId: string;
  readonly severity: Severity;
  readonly cells: readonly WrongCell[];
  /** The names of the columns in the file, by payrun's names. */
  readonly columnNames: ReadonlyMap<string, string>;
  /** Position of the column with the beneficiary. */
  readonly namePlace: number;
  readonly leaveOut: LeaveOut;
  readonly edits: Edits;
  readonly onChange: (edits: readonly CellEdit[]) => void;
}) {
  const isPhone = useIsPhone();
  const [place, setPlace] = useState(1);
  const pages = cellPages(cells, isPhone ? "row" : "many");
  const shown = Math.min(place, pages.length);
  const Turns = isPhone ? RowTurns : PageTurns;
  return (
    <>
      <ul className={classes.cells}>
        <li className={classes.head} aria-hidden>
          <span>{texts.line}</span>
          <span>{texts.value}</span>
          <span>{texts.inFile}</span>
          <span>{texts.newValue}</span>
          <span>{texts.rule}</span>
          <span />
        </li>
        {pages[shown - 1]?.map((cell, at, page) => (
          <CellRepair
            key={`${cell.row.line} ${cell.header}`}
            batchId={batchId}
            severity={severity}
            cell={cell}
            columnNames={columnNames}
            leaveOut={page[at - 1]?.row.line === cell.row.line ? null : leaveOut}
            beneficiary={cell.row.cells[namePlace] ?? ""}
            values={edits.get(cell.row.line) ?? NO_VALUES}
            onChange={(value) => onChange([{ cell, value }])}
          />
        ))}
      </ul>
      {pages.length > 1 ? <Turns shown={shown} pages={pages.length} onTurn={setPlace} /> : null}
    </>
  );
}

/** The same object each time, so that an unchanged row is not checked again. */
const NO_VALUES = {};

interface TurnsProps {
  /** The number of the shown page, from 1. */
  readonly shown: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

/** Turns to the previous or next row. */
const RowTurns = ({ shown, pages, onTurn }: TurnsProps) => (
  <Group justify="space-between" gap="xs" wrap="nowrap">
    <Button variant="default" disabled={shown === 1} onClick={() => onTurn(shown - 1)}>
      {texts.previousRow}
    </Button>
    <Text size="sm" c="dimmed" aria-live="polite">
      {texts.row(shown, pages)}
    </Text>
    <Button variant="default" disabled={shown === pages} onClick={() => onTurn(shown + 1)}>
      {texts.nextRow}
    </Button>
  </Group>
);

/** Turns to any page. */
const PageTurns = ({ shown, pages, onTurn }: TurnsProps) => (
  <Pagination
    size="sm"
    total={pages}
    value={shown}
    onChange={onTurn}
    aria-label={texts.pages}
    getControlProps={(control) => TURNS[control] ?? {}}
    getItemProps={(page) => ({ "aria-label": texts.page(page) })}
  />
);

const TURNS: Readonly<Record<string, { readonly "aria-label": string }>> = {
  previous: { "aria-label": texts.previous },
  next: { "aria-label": texts.next },
};
