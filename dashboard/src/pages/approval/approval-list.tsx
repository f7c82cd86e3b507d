import { ClearFilters, EmptyState } from "../../components/empty-state.tsx";
import { type BuiltInView, ListViews } from "../../components/views/list-views.tsx";
import { FieldsChip } from "../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { ListSummary } from "../../components/list-table/list-summary.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { RadioChip } from "../../components/list-table/radio-chip.tsx";
import type { Answer } from "../../server/client.ts";
import { APPROVAL_COLUMNS } from "./approval-columns.tsx";
import { messages } from "./messages.tsx";
import { type ApprovalsSearch, approvalsSearch, filterCount } from "./search-params.ts";

const texts = messages.list;

interface ApprovalListProps {
  /** Undefined: the batches could not be loaded. */
  readonly waiting: Answer<"GET /api/approvals"> | undefined;
  readonly search: ApprovalsSearch;
  readonly onSearch: (search: ApprovalsSearch, how?: SearchChange) => void;
}

/** The table of the batches that await approval, with filters and sums. */
export default function ApprovalList({ waiting, search, onSearch }: ApprovalListProps) {
  const { sort = "oldest", ...asked } = search;
  const filters = filterCount(search);
  const isAll = search.show === "all";
  return (
    <ListTable
      id="approvals"
      hasShortCards
      caption={isAll ? texts.captionAll : texts.captionMine}
      columns={APPROVAL_COLUMNS}
      rows={waiting?.items ?? []}
      rowKey={({ batch_id }) => batch_id}
      sort={{ by: sort, onChange: (by) => onSearch(approvalsSearch({ ...asked, sort: by })) }}
      filters={JSON.stringify(asked)}
      views={
        <ListViews page="approvals" search={search} builtIn={approvalViews(search, waiting)} />
      }
      toolbar={<ApprovalFilters waiting={waiting} search={search} onSearch={onSearch} />}
      summary={
        waiting ? (
          <ListSummary found={texts.found(waiting.items.length)} totals={waiting.totals} />
        ) : null
      }
      empty={
        waiting ? (
          <EmptyState text={filters > 0 ? texts.noMatch : isAll ? texts.emptyAll : texts.emptyMine}>
            <ClearFilters filters={filters} onClear={() => onSearch(unfiltered(search))} />
          </EmptyState>
        ) : null
      }
    />
  );
}

/** The view of the search without its filters. */
const unfiltered = ({ show }: ApprovalsSearch): ApprovalsSearch => approvalsSearch({ show });

/** The built-in views, with the numbers of all their batches. */
const approvalViews = (
  search: ApprovalsSearch,
  waiting: ApprovalListProps["waiting"],
): readonly BuiltInView[] => [
  {
    key: "mine",
    label: texts.mine,
    search: approvalsSearch({ ...search, show: undefined }),
    isCurrent: search.show !== "all",
    count: waiting?.mine,
    tone: "awaiting",
  },
  {
    key: "all",
    label: texts.all,
    search: approvalsSearch({ ...search, show: "all" }),
    isCurrent: search.show === "all",
    count: waiting?.all,
  },
];

function ApprovalFilters({ waiting, search, onSearch }: ApprovalListProps) {
  const change = (
    changed: { readonly [Name in keyof ApprovalsSearch]?: unknown },
    how?: SearchChange,
  ): void => onSearch(approvalsSearch({ ...search, ...changed }), how);
  const { text, maker } = search;
  return (
    <FilterBar
      label={texts.title}
      text={{
        label: texts.text,
        value: text ?? "",
        onChange: (typed, how) => change({ text: typed }, how),
      }}
      onClear={filterCount(search) > 0 ? () => onSearch(unfiltered(search)) : undefined}
    >
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
