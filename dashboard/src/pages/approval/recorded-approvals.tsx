import { Text } from "@mantine/core";
import type { Answer } from "../../server/client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { When } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";

const texts = messages.approvals;

type Given = Answer<"GET /api/batches/:id/approval">["policy"]["approvals"][number];

/** Every approval of the batch, including invalid ones and why they are invalid. */
export const GivenApprovals = ({ of }: { readonly of: readonly Given[] }) => (
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

const COLUMNS: readonly Column<Given>[] = [
  { key: "name", header: texts.approver, names: true, cell: ({ name }) => name },
  { key: "at", header: texts.approvedAt, cell: ({ at }) => <When at={at} /> },
  {
    key: "counts",
    header: texts.valid,
    cell: ({ live, withdrawn_why, expires_at }) =>
      live ? texts.until(<When at={expires_at} relative={false} />) : texts.invalid(withdrawn_why),
  },
];
