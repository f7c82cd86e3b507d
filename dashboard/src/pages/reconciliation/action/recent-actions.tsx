import { useQuery } from "@tanstack/react-query";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { UserText } from "../../../components/user-text.tsx";
import type { BreakAction } from "./break-action.ts";
import { messages as bulkMessages } from "./bulk-messages.ts";
import { recentActionsQuery } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.recent;

const COLUMNS: readonly Column<BreakAction>[] = [
  {
    key: "action",
    header: texts.action,
    names: true,
    cell: ({ id, action, changed }) => (
      <PageLink to={`/reconciliation/actions/${id}`} row>
        {bulkMessages.actions[action].done(changed ?? 0)}
      </PageLink>
    ),
  },
  {
    key: "left",
    header: texts.left,
    numeric: true,
    cell: ({ left }) => (left ?? []).reduce((sum, { count }) => sum + count, 0).toLocaleString(),
  },
  { key: "by", header: texts.by, cell: ({ created_by: by }) => <UserText text={by.name} /> },
  { key: "at", header: texts.at, cell: ({ applied_at: at }) => <Timestamp at={at} /> },
];

/** The last actions on several breaks. Renders null without any. */
export default function RecentActions() {
  const { data } = useQuery(recentActionsQuery);
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={texts.title} isFlush>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={data.items}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
