import { EmptyState } from "../../components/empty-state.tsx";
import type { ListProps } from "../../components/list-table/list-column.ts";
import { ListSummary } from "../../components/list-table/list-summary.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { ListViews } from "../../components/views/list-views.tsx";
import type { Answer } from "../../server/client.ts";
import { DEPOSIT_COLUMNS, type ListedDeposit } from "./deposit-columns.tsx";
import { DepositFilters } from "./filters.tsx";
import { messages } from "./list-messages.ts";
import { type DepositSearch, isFiltered } from "./search-params.ts";

/** The table of the deposits found, with filters and sums. */
export default function DepositList({
  rows,
  isLoaded,
  search,
  summary,
  more,
  onSearch,
}: ListProps<ListedDeposit, DepositSearch, Answer<"GET /api/deposit-summary">>) {
  const { sort = "newest", ...filters } = search;
  return (
    <ListTable
      id="deposits"
      caption={messages.caption}
      columns={DEPOSIT_COLUMNS}
      rows={rows}
      rowKey={({ code }) => code}
      sort={{ by: sort, onChange: (by) => onSearch({ ...filters, sort: by }) }}
      filters={JSON.stringify(filters)}
      views={<ListViews page="deposits" search={search} />}
      toolbar={<DepositFilters search={search} states={summary?.states} onSearch={onSearch} />}
      summary={
        summary ? (
          <ListSummary
            found={messages.found(summary.count)}
            totals={summary.totals.map(({ deposits, ...sum }) => ({
              ...sum,
              counted: messages.found(deposits),
            }))}
          />
        ) : null
      }
      more={more}
      empty={
        isLoaded ? (
          <EmptyState text={isFiltered(search) ? messages.noMatches : messages.empty} />
        ) : null
      }
    />
  );
}
