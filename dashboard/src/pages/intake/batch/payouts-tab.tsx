import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy } from "react";
import { REFRESHED_PAGES_MAX, usePages } from "../../../base/list/use-pages.ts";
import { LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { call } from "../../../server/client.ts";
import { useRefetchOnChange } from "../../../server/use-refetch-on-change.ts";
import type { BatchView } from "../batch-view.ts";
import type { Cause } from "./batch-chips.tsx";
import { causeName } from "../../operations/failures/cause-name.ts";
import { failuresOf, hasFailures } from "./causes.tsx";
import { batchPayoutSearch, type BatchPayoutSearch, batchPayoutsQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/batches/$id");

/** Loaded while the server looks for the payouts. */
const BatchPayoutList = lazy(() => import("./batch-payout-list.tsx"));

const PAGE_ROWS = 100;
const REFRESH_MS = 5_000;

/** The payouts of the batch that match the filters in the URL, in the order of the file. */
export function PayoutsTab({ batch }: { readonly batch: BatchView }) {
  const { tab: _, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { found, summary } = useBatchPayouts(batch, search);
  const causes = useCauses(batch);
  return (
    <LoadedList found={found}>
      <BatchPayoutList
        batchId={batch.batch_id}
        causes={causes}
        rows={found.pages.flatMap(({ items }) => items)}
        isLoaded={found.data !== undefined}
        search={search}
        summary={summary}
        more={found.more}
        onSearch={(next, change) =>
          void navigate({ search: batchPayoutSearch({ ...next }), resetScroll: false, ...change })
        }
      />
    </LoadedList>
  );
}

/**
 * Loads the payouts and their sums when the batch or the states of its payouts change, and every
 * five seconds while payrun sends it.
 */
function useBatchPayouts({ batch_id: id, state, lanes }: BatchView, search: BatchPayoutSearch) {
  const query = batchPayoutsQuery(id, search);
  const { sort: _, ...filters } = query;
  const isWorking = state === "approved" || state === "paused";
  const listKey = ["GET /api/payouts", "batch", state, query];
  const summaryKey = ["GET /api/payout-summary", state, filters];
  const found = usePages(
    listKey,
    (cursor, signal) =>
      call("GET /api/payouts", {
        query: { ...query, limit: PAGE_ROWS, ...(cursor && { cursor }) },
        signal,
      }),
    isWorking ? { refreshMs: REFRESH_MS } : {},
  );
  const { data: summary } = useQuery({
    queryKey: summaryKey,
    queryFn: ({ signal }) => call("GET /api/payout-summary", { query: filters, signal }),
    refetchInterval: isWorking ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  const isShort = found.pages.length <= REFRESHED_PAGES_MAX;
  const counts = JSON.stringify(lanes.map(({ states }) => states));
  useRefetchOnChange(counts, isShort ? [listKey, summaryKey] : [summaryKey]);
  return { found, summary };
}

/** The causes of failures that occur in the batch, as choices of a filter. */
function useCauses(batch: BatchView): readonly Cause[] {
  const { data: failures } = useQuery({ ...failuresOf(batch), enabled: hasFailures(batch) });
  const causes = new Map<string, Cause>();
  for (const group of failures?.groups ?? []) {
    const { reason } = group;
    if (reason === null) continue;
    const count = group.count + (causes.get(reason)?.count ?? 0);
    causes.set(reason, { value: reason, label: causeName(group), count });
  }
  return [...causes.values()];
}
