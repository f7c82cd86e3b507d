import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../data-table.tsx";
import { messages as texts } from "./retry-messages.tsx";
import { CellChanges } from "./cell-changes.tsx";
import { ErrorState } from "../../error-state.tsx";
import { UserText } from "../../user-text.tsx";
import { ROW_COLUMNS } from "../row-columns.tsx";

type Change = Answer<"GET /api/batches/:id/retry-changes">["items"][number];

/**
 * The changes of a retry batch for its approvers: why payouts are retried unchanged, and each
 * edited cell before and after.
 */
export function RetryChanges({
  id,
  reason,
  withRows,
}: {
  readonly id: string;
  /** Null: no payout is retried unchanged. */
  readonly reason: string | null;
  /** False: the page lists the edited cells elsewhere. */
  readonly withRows: boolean;
}) {
  const { data: changes, error } = useQuery({
    queryKey: ["GET /api/batches/:id/retry-changes", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-changes", { params: { id }, signal }),
    enabled: withRows,
  });
  if (error) return <ErrorState error={error} />;
  return (
    <>
      {reason === null ? null : (
        <Text size="sm">
          {texts.unchanged} <UserText text={reason} />
        </Text>
      )}
      {changes === undefined || changes.items.length === 0 ? null : (
        <DataTable
          caption={texts.changes}
          columns={COLUMNS}
          rows={changes.items}
          rowKey={({ code }) => code}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Change>[] = [
  ...ROW_COLUMNS,
  {
    key: "changes",
    header: texts.beforeAndAfter,
    cell: ({ changes }) => <CellChanges of={changes} />,
  },
];
