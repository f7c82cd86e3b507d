import { Text } from "@mantine/core";
import type { Answer } from "../../server/client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";

const texts = messages.approvals;

type RecordedApproval = Answer<"GET /api/batches/:id/approval">["policy"]["approvals"][number];

/** Every approval of the batch, including invalid ones and why they are invalid. */
export const RecordedApprovals = ({ of }: { readonly of: readonly RecordedApproval[] }) => (
  <DataTable
    caption={texts.caption}
    columns={COLUMNS}
    rows={of}
    rowKey={({ user_id, at }) => `${user_id} ${at}`}
    empty={
      <Text size="sm" c="dimmed">
        {texts.empty}
      </Text>
    }
  />
);

const COLUMNS: readonly Column<RecordedApproval>[] = [
  { key: "name", header: texts.approver, names: true, cell: ({ name }) => name },
  { key: "at", header: texts.approvedAt, cell: ({ at }) => <Timestamp at={at} /> },
  {
    key: "counts",
    header: texts.valid,
    cell: ({ live, withdrawn_reason, expires_at }) =>
      live
        ? texts.until(<Timestamp at={expires_at} relative={false} />)
        : texts.invalid(withdrawn_reason),
  },
];
