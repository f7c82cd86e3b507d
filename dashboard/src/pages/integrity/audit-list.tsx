import { EmptyState } from "../../components/empty-state.tsx";
import type { ListProps } from "../../components/list-table/list-column.ts";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { ListViews } from "../../components/views/list-views.tsx";
import { AUDIT_COLUMNS, type AuditLine } from "./audit-columns.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { messages } from "./list-messages.ts";
import type { AuditSearch } from "./search-params.ts";

const { log } = messages;

/** The table of the entries found, newest first, with filters. */
export default function AuditList({
  rows,
  isLoaded,
  search,
  more,
  onSearch,
}: Omit<ListProps<AuditLine, AuditSearch, never>, "summary">) {
  const isFiltered = Object.keys(search).length > 0;
  return (
    <ListTable
      id="audit"
      caption={log.caption}
      columns={AUDIT_COLUMNS}
      rows={rows}
      rowKey={({ number }) => String(number)}
      filters={JSON.stringify(search)}
      views={<ListViews page="audit" search={search} />}
      toolbar={<AuditFilters search={search} onSearch={onSearch} />}
      more={more}
      empty={isLoaded ? <EmptyState text={isFiltered ? log.noMatch : log.empty} /> : null}
    />
  );
}
