import { Text } from "@mantine/core";
import { usePages } from "../../../base/list/use-pages.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { call } from "../../../server/client.ts";
import { AUDIT_COLUMNS } from "../../integrity/audit-columns.tsx";
import { messages } from "./messages.tsx";

const texts = messages.audit;

const COLUMNS = AUDIT_COLUMNS.filter(({ key }) => key !== "object");

/** The entries of the audit log about one batch. */
export function AuditTab({ id }: { readonly id: string }) {
  const query = { object: id };
  const found = usePages(["GET /api/audit", query], (cursor, signal) =>
    call("GET /api/audit", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  return (
    <LoadedList found={found}>
      <ListTable
        id="batch-audit"
        caption={texts.caption}
        columns={COLUMNS}
        rows={found.pages.flatMap(({ items }) => items)}
        rowKey={({ number }) => String(number)}
        filters={id}
        toolbar={
          <Text size="sm" c="dimmed">
            {texts.order} <PageLink to={`/audit?object=${id}`}>{texts.filter}</PageLink>
          </Text>
        }
        more={found.more}
        empty={found.data ? <EmptyState text={texts.empty} /> : null}
      />
    </LoadedList>
  );
}
