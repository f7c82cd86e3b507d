import { useQuery } from "@tanstack/react-query";
import { FieldsChip, PeriodChip } from "../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { SelectChip } from "../../components/list-table/select-chip.tsx";
import { call } from "../../server/client.ts";
import { actionName } from "./action-messages.ts";
import { messages } from "./list-messages.ts";
import { auditSearch, type AuditSearch } from "./search-params.ts";

const { log, filters: texts } = messages;

/** The search field and the filter chips of the audit log. */
export function AuditFilters({
  search,
  onSearch,
}: {
  readonly search: AuditSearch;
  readonly onSearch: (search: AuditSearch, how?: SearchChange) => void;
}) {
  const { data: known } = useQuery({
    queryKey: ["GET /api/audit/actions"],
    queryFn: ({ signal }) => call("GET /api/audit/actions", { signal }),
    staleTime: 60_000,
  });
  const actions = known?.actions ?? (search.action ? [search.action] : []);
  const change = (
    changed: { readonly [Name in keyof AuditSearch]?: unknown },
    how?: SearchChange,
  ): void => onSearch(auditSearch({ ...search, ...changed }), how);
  return (
    <FilterBar
      label={log.title}
      text={{
        label: texts.object,
        value: search.object ?? "",
        onChange: (object, how) => change({ object }, how),
      }}
      onClear={Object.keys(search).length > 0 ? () => onSearch({}) : undefined}
    >
      <SelectChip
        label={texts.action}
        value={search.action}
        choices={[
          { value: "", label: texts.anyAction },
          ...actions.map((action) => ({ value: action, label: actionName(action) })),
        ]}
        onChange={(action) => change({ action })}
      />
      <FieldsChip
        label={texts.actor}
        fields={[{ name: "actor", label: texts.actor, hint: texts.actorHint }]}
        search={search}
        onChange={change}
      />
      <PeriodChip label={texts.time} search={search} onChange={change} />
    </FilterBar>
  );
}
