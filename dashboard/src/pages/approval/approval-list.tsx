import { EmptyState } from "../../components/empty-state.tsx";
import { ListViews } from "../../components/views/list-views.tsx";
import { FieldsChip } from "../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { ListSummary } from "../../components/list-table/list-summary.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { RadioChip } from "../../components/list-table/radio-chip.tsx";
import type { Answer } from "../../server/client.ts";
import { APPROVAL_COLUMNS } from "./approval-columns.tsx";
import { messages } from "./messages.tsx";
import { type ApprovalsSearch, approvalsSearch } from "./search-params.ts";

const texts = messages.list;

interface ApprovalListProps {
  /** Undefined: the batches could not be loaded. */
  readonly waiting: Answer<"GET /api/approvals"> | undefined;
  readonly search: ApprovalsSearch;
  readonly onSearch: (search: ApprovalsSearch, how?: SearchChange) => void;
}

/** The table of the batches that await approval, with filters and sums. */
export default function ApprovalList({ waiting, search, onSearch }: ApprovalListProps) {
  const { sort = "oldest", ...filters } = search;
  const { show: _, ...others } = filters;
  const isFiltered = Object.keys(others).length > 0;
  const isAll = search.show === "all";
  return (
    <ListTable
      id="approvals"
      caption={isAll ? texts.captionAll : texts.captionMine}
      columns={APPROVAL_COLUMNS}
      rows={waiting?.items ?? []}
      rowKey={({ batch_id }) => batch_id}
      sort={{ by: sort, onChange: (by) => onSearch(approvalsSearch({ ...filters, sort: by })) }}
      filters={JSON.stringify(filters)}
      views={<ListViews page="approvals" search={search} />}
      toolbar={<ApprovalFilters waiting={waiting} search={search} onSearch={onSearch} />}
      summary={
        waiting ? (
          <ListSummary found={texts.found(waiting.items.length)} totals={waiting.totals} />
        ) : null
      }
      empty={
        waiting ? (
          <EmptyState
            text={isFiltered ? texts.noMatch : isAll ? texts.emptyAll : texts.emptyMine}
          />
        ) : null
      }
    />
  );
}

function ApprovalFilters({ waiting, search, onSearch }: ApprovalListProps) {
  const change = (
    changed: { readonly [Name in keyof ApprovalsSearch]?: unknown },
    how?: SearchChange,
  ): void => onSearch(approvalsSearch({ ...search, ...changed }), how);
  const { text, maker, currency } = search;
  const isFiltered = [text, maker, currency].some((value) => value !== undefined);
  return (
    <FilterBar
      label={texts.title}
      text={{
        label: texts.text,
        value: text ?? "",
        onChange: (typed, how) => change({ text: typed }, how),
      }}
      onClear={isFiltered ? () => onSearch(search.show ? { show: search.show } : {}) : undefined}
    >
      <RadioChip
        label={texts.filter}
        value={search.show ?? ""}
        choices={[
          { value: "", label: texts.mine, count: waiting?.mine },
          { value: "all", label: texts.all, count: waiting?.all },
        ]}
        onChange={(show) => change({ show })}
      />
      <RadioChip
        label={texts.uploadedBy}
        value={maker}
        choices={[
          { value: "", label: texts.anyone },
          ...(waiting?.makers ?? []).map(({ name, batches }) => ({
            value: name,
            label: name,
            count: batches,
          })),
        ]}
        onChange={(chosen) => change({ maker: chosen })}
      />
      <FieldsChip
        label={texts.currency}
        fields={[{ name: "currency", label: texts.currency, hint: texts.currencyHint }]}
        search={search}
        onChange={change}
      />
    </FilterBar>
  );
}
