import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, lazy, Suspense, useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Section } from "../../../../components/section.tsx";
import { BulkFixes } from "./bulk-fixes.tsx";
import { CellList } from "./cell-list.tsx";
import { useLeaveOut, WholeRows } from "./leave-out.tsx";
import { messages as texts } from "./messages.tsx";
import {
  EDITABLE_ROWS_MAX,
  type CellEdit,
  type Edits,
  type FileColumn,
  hasError,
  ownNames,
  reloadRows,
  savingOf,
  type Severity,
  withEdit,
  wrongCells,
} from "./values.ts";

const FillColumns = lazy(async () => ({
  default: (await import("./fill-columns.tsx")).FillColumns,
}));

const Filling = (of: ComponentProps<typeof FillColumns>) => (
  <Suspense fallback={null}>
    <FillColumns {...of} />
  </Suspense>
);

/** Edits the cells of rows with errors, or of valid rows with warnings, each next to its rule. */
export function RepairRows({
  batchId,
  severity,
  columns,
  folds = false,
}: {
  readonly batchId: string;
  readonly severity: Severity;
  readonly folds?: boolean;
  /** The columns of the file, each with its name there and payrun's name. */
  readonly columns: readonly FileColumn[];
}) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/batches/:id/rows", batchId, "repair", severity],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/rows", {
        params: { id: batchId },
        query: { severity, limit: EDITABLE_ROWS_MAX },
        signal,
      }),
  });
  const save = useSave(batchId, (sent) =>
    setEdits((now) => new Map([...now].filter(([line, values]) => sent.get(line) !== values))),
  );
  const leaveOut = useLeaveOut(batchId);
  if (error) return <ErrorState error={error} />;
  const isError = severity === "error";
  const { rows, cells, wholeRows } = toCorrect(page, columns, severity);
  if (cells.length + wholeRows.length === 0) return null;
  const namePlace = columns.findIndex(({ column }) => column === "account_name");
  // The server refuses edits of rows that no longer have this finding.
  const open = new Map([...edits].filter(([at]) => rows.some(({ line }) => line === at)));
  const change = (given: readonly CellEdit[]) =>
    setEdits((before) =>
      given.reduce((all, { cell, value }) => withEdit(all, cell, value), before),
    );
  return (
    <Section title={texts.title[severity]} caption={texts.caption} folds={folds}>
      {isError ? (
        <BulkFixes batchId={batchId} columnNames={ownNames(columns)} />
      ) : (
        <Text size="sm">{texts.warningsText}</Text>
      )}
      {isError ? <Filling {...{ columns }} cells={cells.filter(hasError)} onFill={change} /> : null}
      {cells.length === 0 ? null : (
        <CellList
          {...{ batchId, severity, cells, namePlace, leaveOut }}
          columnNames={ownNames(columns)}
          edits={open}
          onChange={change}
        />
      )}
      <WholeRows rows={wholeRows} columnNames={ownNames(columns)} {...{ namePlace, leaveOut }} />
      {leaveOut.error ? <ErrorState error={leaveOut.error} /> : null}
      {page?.next ? <More /> : null}
      {save.error ? <ErrorState error={save.error} /> : null}
      {save.data && open.size === 0 ? <Saved {...save.data} /> : null}
      {cells.length === 0 ? null : (
        <SaveBar
          edited={open.size}
          rows={new Set(cells.map(({ row }) => row.line)).size}
          isSaving={save.isPending}
          discard={() => setEdits(new Map())}
          save={() => save.mutate(open)}
        />
      )}
    </Section>
  );
}

/** The rows to correct, their wrong cells, and the rows without one. */
function toCorrect(
  page: Answer<"GET /api/batches/:id/rows"> | undefined,
  columns: readonly FileColumn[],
  severity: Severity,
) {
  const isError = severity === "error";
  const rows = page?.items.filter(({ rejected }) => rejected === isError) ?? [];
  // A row with errors also shows its warnings, which would otherwise appear after the correction.
  const found = rows.flatMap((row) => wrongCells(row, page?.columns ?? [], columns));
  // A row whose errors concern no cell is listed once, with all its findings. Warnings about whole
  // rows are listed with the others, each with the button that leaves it out.
  const wholeRows = isError
    ? rows.filter(({ line }) => !found.some((cell) => cell.row.line === line && hasError(cell)))
    : [];
  const cells = found.filter(({ row }) => !wholeRows.includes(row));
  return { rows, cells, wholeRows };
}

const More = () => (
  <Text size="sm" c="dimmed">
    {texts.more(EDITABLE_ROWS_MAX)}
  </Text>
);

const Saved = ({ corrected, rows }: { readonly corrected: number; readonly rows: number }) => (
  <Alert role="status" color="green" variant="light">
    {texts.saved(corrected, rows)}
  </Alert>
);

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
    {edited === 0 ? null : (
      <Button variant="default" onClick={discard}>
        {texts.discard}
      </Button>
    )}
    <Button disabled={edited === 0} loading={isSaving} onClick={save}>
      {texts.save(edited)}
    </Button>
  </Group>
);

/** Stores the new values, all or none. Values that were typed meanwhile are not among the sent. */
function useSave(batchId: string, onSaved: (sent: Edits) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: savingOf(batchId),
    mutationFn: (edits: Edits) =>
      call("POST /api/batches/:id/rows/correct", {
        params: { id: batchId },
        body: { rows: [...edits].map(([line, values]) => ({ line, values })) },
      }),
    onSuccess: async (_, sent) => {
      await reloadRows(queries);
      onSaved(sent);
    },
  });
}
