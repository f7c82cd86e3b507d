import { Text } from "@mantine/core";
import { EmptyState } from "../../components/empty-state.tsx";
import type { ListProps } from "../../components/list-table/list-column.ts";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { AUDIT_COLUMNS, type AuditLine } from "./audit-columns.tsx";
import { messages } from "./list-messages.ts";

const texts = messages.ofBatch;

const COLUMNS = AUDIT_COLUMNS.filter(({ key }) => key !== "object");

/** The table of the audit log entries about one batch. */
export default function BatchAuditList({
  id,
  rows,
  isLoaded,
  more,
}: Pick<ListProps<AuditLine, never, never>, "rows" | "isLoaded" | "more"> & {
  readonly id: string;
}) {
  return (
    <ListTable
      id="batch-audit"
      caption={texts.caption}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ number }) => String(number)}
      filters={id}
      toolbar={
        <Text size="sm" c="dimmed">
          {texts.order} <PageLink to={`/audit?object=${id}`}>{texts.filter}</PageLink>
        </Text>
      }
      more={more}
      empty={isLoaded ? <EmptyState text={texts.empty} /> : null}
    />
  );
}
