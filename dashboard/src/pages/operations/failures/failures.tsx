import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { addressOf } from "../../../server/address.ts";
import { call } from "../../../server/client.ts";
import { ExportMenu } from "../../../components/export-menu.tsx";
import { lazyList, LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { Page } from "../../../components/page.tsx";
import { RetryBatches } from "../../../components/payout/retry/retry-batches.tsx";
import { messages } from "./messages.ts";
import { type FailureSearch, failuresQuery, fileQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/failures");

const FailureList = lazyList(() => import("./failure-list.tsx"));

const REFRESH_MS = 15_000;

/** The list of failures with its filters, saved views, sums and files. */
export function FailuresPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useFailures(search, REFRESH_MS);
  const { state: _, ...others } = search;
  const inAllStates = useFailures(others);
  const go = (next: FailureSearch): void => void navigate({ to: "/failures", search: next });
  const fileOf = (format: "csv" | "xlsx"): string =>
    addressOf("GET /api/failures/file", { query: { ...fileQuery(search), format } }).address;
  return (
    <Page title={messages.title} actions={<ExportMenu addressOf={fileOf} />}>
      {search.batch ? <RetryBatches id={search.batch} version="" /> : null}
      <LoadedList found={found}>
        <FailureList
          failures={found.data}
          totals={inAllStates.data?.totals ?? []}
          search={search}
          onSearch={go}
        />
      </LoadedList>
    </Page>
  );
}

function useFailures(search: FailureSearch, refreshMs?: number) {
  const query = failuresQuery(search);
  return useQuery({
    queryKey: ["GET /api/failures", query],
    queryFn: ({ signal }) => call("GET /api/failures", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs ?? false,
  });
}
