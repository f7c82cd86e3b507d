import { Button } from "@mantine/core";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ListSummary } from "../../../components/list-table/list-summary.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import type { MoreRowsProps } from "../../../components/list-table/more-rows.tsx";
import type { Answer } from "../../../server/client.ts";
import { BATCH_COLUMNS, type ListedBatch } from "./columns.tsx";
import { BatchFilters } from "./filters.tsx";
import { messages } from "./list-messages.ts";
import { type BatchesSearch, isFiltered } from "./search-params.ts";

/** The table of the batches found, with filters and sums. */
export default function BatchList({
  rows,
  search,
  summary,
  more,
  onSearch,
}: {
  readonly rows: readonly ListedBatch[];
  readonly search: BatchesSearch;
  readonly summary: Answer<"GET /api/batch-summary"> | undefined;
  readonly more: MoreRowsProps["more"];
  readonly onSearch: (search: BatchesSearch) => void;
}) {
  return (
    <ListTable
      id="batches"
      caption={messages.caption}
      columns={BATCH_COLUMNS}
      rows={rows}
      rowKey={({ batch_id }) => batch_id}
      sort={{
        by: search.sort ?? "newest",
        onChange: (sort) => onSearch({ ...search, sort: sort as "newest" }),
      }}
      toolbar={<BatchFilters search={search} states={summary?.states} onSearch={onSearch} />}
      summary={
        summary ? (
          <ListSummary found={messages.found(summary.count)} totals={summary.totals} />
        ) : null
      }
      more={more}
      empty={
        isFiltered(search) ? (
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
