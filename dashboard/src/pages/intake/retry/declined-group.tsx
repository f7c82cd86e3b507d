import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { paging } from "../../../base/list/paging.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { CellChanges } from "../../../components/payout/retry/cell-changes.tsx";
import { ROW_COLUMNS } from "../../../components/payout/row-columns.tsx";
import { messages } from "./messages.ts";
import {
  declinedLineQuery,
  declinedRowsQuery,
  type DeclinedRow,
  type EditableColumn,
  type RowEdits,
} from "./queries.ts";

const texts = messages;
const route = getRouteApi("/dashboard/batches/$id/retry");

const DetailsEditor = lazy(() => import("./details-editor.tsx"));

/** The edited rows of the page, by line. */
export type PageEdits = ReadonlyMap<number, RowEdits>;

/** The declined payouts with one cause, each with the button that opens its details. */
export function DeclinedGroup({
  batchId,
  cause,
  edits,
  change,
}: {
  readonly batchId: string;
  readonly cause: { readonly reason: string | null; readonly meaning: string };
  readonly edits: PageEdits;
  /** Null: the row is no longer edited. */
  readonly change: (line: number, edits: RowEdits | null) => void;
}) {
  const [cursor, setCursor] = useState<string | undefined>();
  const { line } = route.useSearch();
  const { data: linked } = useQuery(declinedLineQuery(batchId, cause.reason, line));
  const [chosen, setOpen] = useState<DeclinedRow | null | undefined>();
  const open = chosen === undefined ? linked?.items[0] : chosen;
  const { data: page, error } = useQuery(declinedRowsQuery(batchId, cause.reason, cursor));
  if (error && !page) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const { next } = page;
  return (
    <>
      <DataTable
        caption={texts.caption(cause.meaning)}
        hideCaption
        columns={columnsWith(edits, { edit: setOpen, undo: ({ line }) => change(line, null) })}
        rows={page.items}
        rowKey={({ code }) => code}
        paging={paging(["retry", batchId, cause.reason], { cursor, next }, setCursor)}
      />
      {!open ? null : (
        <Suspense>
          <DetailsEditor
            batchId={batchId}
            row={open}
            edits={edits.get(open.line) ?? {}}
            close={() => setOpen(null)}
            save={(given) => {
              change(open.line, given);
              setOpen(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const columnsWith = (
  edits: PageEdits,
  act: Readonly<Record<"edit" | "undo", (row: DeclinedRow) => void>>,
): readonly Column<DeclinedRow>[] => [
  ...ROW_COLUMNS,
  {
    key: "details",
    header: texts.details,
    cell: (row) => <Details row={row} edits={edits.get(row.line)} />,
  },
  {
    key: "fix",
    header: "",
    card: "action",
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {edits.has(row.line) ? (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<Undo2 size={14} aria-hidden />}
            aria-label={texts.undoOf(row.line)}
            onClick={() => act.undo(row)}
          >
            {texts.undo}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          aria-label={texts.fixOf(row.line)}
          onClick={() => act.edit(row)}
        >
          {texts.fix}
        </Button>
      </Group>
    ),
  },
];

/** The columns with the bank and the account, which identify the beneficiary. */
const ACCOUNT_COLUMNS: ReadonlySet<EditableColumn> = new Set<EditableColumn>([
  "bank_code",
  "bank_name",
  "ifsc_code",
  "bank_account_number",
  "address",
  "phone_number",
]);

/**
 * The cells that the gateway refused, the bank and the account, and every changed cell before and
 * after.
 */
function Details({
  row,
  edits,
}: {
  readonly row: DeclinedRow;
  readonly edits: RowEdits | undefined;
}) {
  const shown = row.cells.filter(
    ({ column, text }) =>
      edits?.[column] !== undefined ||
      row.refused_columns.includes(column) ||
      (text !== "" && ACCOUNT_COLUMNS.has(column)),
  );
  if (shown.length === 0) return <Text size="sm">–</Text>;
  return (
    <CellChanges
      of={shown.map(({ column, text }) => ({ column, before: text, after: edits?.[column] }))}
    />
  );
}
