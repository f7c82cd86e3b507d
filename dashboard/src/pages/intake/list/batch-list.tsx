import { ClearFilters, EmptyState } from "../../../components/empty-state.tsx";
import type { ListProps } from "../../../components/list-table/list-column.ts";
import { ListSummary } from "../../../components/list-table/list-summary.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { ListViews } from "../../../components/views/list-views.tsx";
import type { Answer } from "../../../server/client.ts";
import { BATCH_COLUMNS } from "./columns.tsx";
import type { ListedBatch } from "./listed-batch.ts";
import { BatchFilters } from "./filters.tsx";
import { messages } from "./list-messages.ts";
import { batchViews } from "./views.ts";
import { type BatchesSearch, filterCount } from "./search-params.ts";

/** The table of the batches found, with filters and sums. */
export default function BatchList({
  rows,
  isLoaded,
  search,
  summary,
  more,
  onSearch,
}: ListProps<ListedBatch, BatchesSearch, Answer<"GET /api/batch-summary">>) {
  const { sort = "newest", ...filters } = search;
  return (
    <ListTable
      id="batches"
      hasShortCards
      caption={messages.caption}
      columns={BATCH_COLUMNS}
      rows={rows}
      rowKey={({ batch_id }) => batch_id}
      sort={{
        by: sort,
        onChange: (by) => onSearch({ ...filters, sort: by as "newest" }),
      }}
      filters={JSON.stringify(filters)}
      views={
        <ListViews page="batches" search={search} builtIn={batchViews(search, summary?.states)} />
      }
      toolbar={<BatchFilters search={search} states={summary?.states} onSearch={onSearch} />}
      summary={
        summary ? (
          <ListSummary
            found={messages.found(summary.count)}
            totals={summary.totals}
            note={messages.notSummed(summary.not_summed)}
          />
        ) : null
      }
      more={more}
      empty={
        isLoaded ? (
          <EmptyState text={emptyText(search)}>
            <ClearFilters filters={filterCount(search)} onClear={() => onSearch({})} />
          </EmptyState>
        ) : null
      }
    />
  );
}

/** Why the list is empty: there are no batches, or none in a view, or none that filters find. */
function emptyText(search: BatchesSearch): string {
  const filters = filterCount(search);
  if (filters === 0) return messages.empty;
  const view = batchViews(search, undefined).find(({ isCurrent }) => isCurrent);
  return filters === 1 && search.state !== undefined && view
    ? messages.emptyView(view.label)
    : messages.emptyFiltered;
}
