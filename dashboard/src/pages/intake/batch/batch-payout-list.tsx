import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ExportMenu } from "../../../components/export-menu.tsx";
import type { ListProps } from "../../../components/list-table/list-column.ts";
import { ListSummary } from "../../../components/list-table/list-summary.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import type { ListedPayout } from "../../../components/payout/payout-table.tsx";
import { addressOf } from "../../../server/address.ts";
import { PayoutFilters } from "../../payout/filters.tsx";
import { usePayoutActions } from "../../payout-action/use-payout-actions.tsx";
import { foundText } from "../../payout/chip-values.ts";
import type { PayoutSummary } from "../../payout/payout-query.ts";
import type { Cause } from "./batch-chips.tsx";
import { listMessages as texts } from "./list-messages.ts";
import { BATCH_PAYOUT_COLUMNS } from "./payout-columns.tsx";
import { type BatchPayoutSearch, batchPayoutsQuery } from "./search-params.ts";

/** Loaded after the list. */
const BatchChips = lazy(() => import("./batch-chips.tsx"));

/** The table of the payouts found in a batch, with filters, sums and export. */
export default function BatchPayoutList({
  batchId,
  causes,
  rows,
  isLoaded,
  search,
  summary,
  more,
  onSearch,
}: ListProps<ListedPayout, BatchPayoutSearch, PayoutSummary> & {
  readonly batchId: string;
  readonly causes: readonly Cause[];
}) {
  const { sort = "oldest", ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const query = batchPayoutsQuery(batchId, search);
  const { sort: _, ...selectable } = query;
  const bulk = usePayoutActions(selectable, summary?.count ?? null);
  return (
    <ListTable
      id="batch-payouts"
      caption={texts.caption}
      columns={BATCH_PAYOUT_COLUMNS}
      rows={rows}
      rowKey={({ code }) => code}
      sort={{ by: sort, onChange: (by) => onSearch({ ...filters, sort: by }) }}
      filters={JSON.stringify(filters)}
      toolbar={
        <>
          <PayoutFilters
            search={search}
            summary={summary}
            onSearch={onSearch}
            without={["batch", "created", "reason"]}
          >
            <Suspense>
              <BatchChips causes={causes} search={search} onSearch={onSearch} />
            </Suspense>
          </PayoutFilters>
          <ExportMenu
            size="xs"
            addressOf={(format) =>
              addressOf("GET /api/payout-export", { query: { ...query, format } }).address
            }
          />
        </>
      }
      summary={summary ? <ListSummary found={foundText(summary)} totals={summary.totals} /> : null}
      more={more}
      bulk={bulk}
      empty={
        isLoaded ? (
          <EmptyState text={isFiltered ? texts.noMatch : texts.empty}>
            {isFiltered ? (
              <Button variant="default" onClick={() => onSearch({})}>
                {texts.clear}
              </Button>
            ) : null}
          </EmptyState>
        ) : null
      }
    />
  );
}
