import { Button } from "@mantine/core";
import { EmptyState } from "../../../components/empty-state.tsx";
import type { ListProps } from "../../../components/list-table/list-column.ts";
import { ListSummary } from "../../../components/list-table/list-summary.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { ListViews } from "../../../components/views/list-views.tsx";
import type { Answer } from "../../../server/client.ts";
import { BATCH_COLUMNS, type ListedBatch } from "./columns.tsx";
import { BatchFilters } from "./filters.tsx";
import { messages } from "./list-messages.ts";
import { batchViews } from "./views.ts";
import { type BatchesSearch, isFiltered } from "./search-params.ts";

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
        !isLoaded ? null : isFiltered(search) ? (
          <EmptyState text={messages.emptyFiltered}>
            <Button variant="default" onClick={() => onSearch({})}>
              {messages.showAll}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState text={messages.empty} />
        )
      }
    />
  );
}
