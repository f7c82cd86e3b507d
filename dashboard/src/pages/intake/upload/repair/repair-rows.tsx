import { Alert, Button, Group, Pagination, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../../server/client.ts";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Section } from "../../../../components/section.tsx";
import { BulkFixes } from "./bulk-fixes.tsx";
import { CellRepair, ROW_CHECK } from "./cell-repair.tsx";
import { messages as texts } from "./messages.tsx";
import {
  type CellEdit,
  type Edits,
  type Severity,
  withEdit,
  type WrongCell,
  wrongCells,
} from "./values.ts";
import classes from "./repair.module.css";

const ROWS_MAX = 100;
const CELLS_PER_PAGE = 8;

/** Edits the cells of rows with errors, or of valid rows with warnings, each next to its rule. */
export function RepairRows({
  batchId,
  severity,
  columns,
}: {
  readonly batchId: string;
  readonly severity: Severity;
  /** payrun's name of each column of the file; null for ignored columns. */
  readonly columns: readonly (string | null)[];
}) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/batches/:id/rows", batchId, "repair", severity],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/rows", {
        params: { id: batchId },
        query: { severity, limit: ROWS_MAX },
        signal,
      }),
  });
  const save = useSave(batchId, (sent) =>
    setEdits((now) => new Map([...now].filter(([line, values]) => sent.get(line) !== values))),
  );
  if (error) return <ErrorState error={error} />;
  const isError = severity === "error";
  const rows = page?.items.filter(({ rejected }) => rejected === isError) ?? [];
  const cells = rows.flatMap((row) => wrongCells(row, page?.columns ?? [], columns, severity));
  if (cells.length === 0) return null;
  // The server refuses edits of rows that no longer have this finding.
  const open = new Map([...edits].filter(([at]) => rows.some(({ line }) => line === at)));
  const change = (given: readonly CellEdit[]) =>
    setEdits((before) =>
      given.reduce((all, { cell, value }) => withEdit(all, cell, value), before),
    );
  return (
    <Section title={texts.title[severity]} caption={texts.caption}>
      {isError ? <BulkFixes batchId={batchId} /> : <Text size="sm">{texts.warningsText}</Text>}
      <Cells
        batchId={batchId}
        severity={severity}
        cells={cells}
        namePlace={columns.indexOf("account_name")}
        edits={open}
        onChange={change}
      />
      {page?.next ? (
        <Text size="sm" c="dimmed">
          {texts.more(ROWS_MAX)}
        </Text>
      ) : null}
      {save.error ? <ErrorState error={save.error} /> : null}
      {save.data && open.size === 0 ? (
        <Alert role="status" color="green" variant="light">
          {texts.saved(save.data.corrected, save.data.rows)}
        </Alert>
      ) : null}
      <SaveBar
        edited={open.size}
        rows={rows.length}
        isSaving={save.isPending}
        discard={() => setEdits(new Map())}
        save={() => save.mutate(open)}
      />
    </Section>
  );
}

/** The number of edited rows, with the buttons that store or discard the edits. */
const SaveBar = ({
  edited,
  rows,
  isSaving,
  discard,
  save,
}: {
  readonly edited: number;
  readonly rows: number;
  readonly isSaving: boolean;
  readonly discard: () => void;
  readonly save: () => void;
}) => (
  <Group justify="flex-end" gap="sm">
    <Text size="sm" c="dimmed">
      {texts.edited(edited, rows)}
    </Text>
    <Button variant="default" disabled={edited === 0} onClick={discard}>
      {texts.discard}
    </Button>
    <Button disabled={edited === 0} loading={isSaving} onClick={save}>
      {texts.save(edited)}
    </Button>
  </Group>
);

/** One page of the wrong cells. */
function Cells({
  batchId,
  severity,
  cells,
  namePlace,
  edits,
  onChange,
}: {
  readonly batchId: string;
  readonly severity: Severity;
  readonly cells: readonly WrongCell[];
  /** Position of the column with the beneficiary. */
  readonly namePlace: number;
  readonly edits: Edits;
  readonly onChange: (edits: readonly CellEdit[]) => void;
}) {
  const [place, setPlace] = useState(1);
  const pages = Math.ceil(cells.length / CELLS_PER_PAGE);
  const shown = Math.min(place, pages);
  return (
    <>
      <ul className={classes.cells}>
        <li className={classes.head} aria-hidden>
          <span>{texts.line}</span>
          <span>{texts.value}</span>
          <span>{texts.inFile}</span>
          <span>{texts.newValue}</span>
          <span>{texts.rule}</span>
        </li>
        {cells.slice((shown - 1) * CELLS_PER_PAGE, shown * CELLS_PER_PAGE).map((cell) => (
          <CellRepair
            key={`${cell.row.line} ${cell.header}`}
            batchId={batchId}
            severity={severity}
            cell={cell}
            beneficiary={cell.row.cells[namePlace] ?? ""}
            values={edits.get(cell.row.line) ?? NO_VALUES}
            onChange={(value) => onChange([{ cell, value }])}
          />
        ))}
      </ul>
      {pages > 1 ? (
        <Pagination
          size="sm"
          total={pages}
          value={shown}
          onChange={setPlace}
          aria-label={texts.pages}
          getControlProps={(control) => TURNS[control] ?? {}}
          getItemProps={(page) => ({ "aria-label": texts.page(page) })}
        />
      ) : null}
    </>
  );
}

const TURNS: Readonly<Record<string, { readonly "aria-label": string }>> = {
  previous: { "aria-label": texts.previous },
  next: { "aria-label": texts.next },
};

/** The same object each time, so that an unchanged row is not checked again. */
const NO_VALUES = {};

/** Stores the new values, all or none. Values that were typed meanwhile are not among the sent. */
function useSave(batchId: string, onSaved: (sent: Edits) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (edits: Edits) =>
      call("POST /api/batches/:id/rows/correct", {
        params: { id: batchId },
        body: { rows: [...edits].map(([line, values]) => ({ line, values })) },
      }),
    onSuccess: async (_, sent) => {
      // The checks of the saved rows would fail: the server no longer has their findings.
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== ROW_CHECK });
      onSaved(sent);
    },
  });
}
