import { Text } from "@mantine/core";
import type { Answer } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { When } from "../../components/when.tsx";

type Given = Answer<"GET /api/batches/:id/approval">["policy"]["approvals"][number];

/** Every approval that was ever given, also those that count no more, and why. */
export const GivenApprovals = ({ of }: { readonly of: readonly Given[] }) => (
  <DataTable
    caption="Approvals"
    columns={COLUMNS}
    rows={of}
    rowKey={({ user_id, at }) => `${user_id} ${at}`}
    empty={
      <Text size="sm" c="dimmed">
        Nobody has approved it.
      </Text>
    }
  />
);

const COLUMNS: readonly Column<Given>[] = [
  { key: "name", header: "Approver", names: true, cell: ({ name }) => name },
  { key: "at", header: "Approved", cell: ({ at }) => <When at={at} /> },
  {
    key: "counts",
    header: "Counts",
    cell: ({ live, withdrawn_why, expires_at }) =>
      live ? (
        <>
          until <When at={expires_at} relative={false} />
        </>
      ) : (
        `no: ${withdrawn_why ?? "it has expired, or the batch or the approver has changed"}`
      ),
  },
];
