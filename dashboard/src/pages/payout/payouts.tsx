import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../../server/client.ts";
import { addressOf } from "../../server/address.ts";
import { ExportMenu } from "../../components/export-menu.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { lazyList, LoadedList } from "../../components/list-table/loaded-list.tsx";
import { Page } from "../../components/page.tsx";
import { usePages } from "../../base/list/use-pages.ts";
import { messages } from "./messages.ts";
import { filtersOf, type PayoutSearch, payoutsQuery } from "./search-params.ts";

const texts = messages.list;

const route = getRouteApi("/dashboard/payouts");

const PayoutList = lazyList(() => import("./payout-list.tsx"));

const LIST_ROWS = 100;

/** The list of payouts with its filters, saved views, sums and files. */
export function PayoutsPage() {
  const { cursor: _, ...search }: PayoutSearch = route.useSearch();
  const navigate = route.useNavigate();
  const found = usePages(["GET /api/payouts", search], (cursor, signal) =>
    call("GET /api/payouts", {
      query: { ...payoutsQuery(search), limit: LIST_ROWS, ...(cursor && { cursor }) },
      signal,
    }),
  );
  const summary = useQuery({
    queryKey: ["GET /api/payout-summary", filtersOf(search)],
    queryFn: ({ signal }) => call("GET /api/payout-summary", { query: filtersOf(search), signal }),
    placeholderData: keepPreviousData,
  }).data;
  const go = (next: PayoutSearch, change?: SearchChange): void =>
    void navigate({ to: "/payouts", search: next, ...change });

  return (
    <Page title={texts.title} actions={<ExportMenu addressOf={fileOf(search)} />}>
      <LoadedList found={found}>
        <PayoutList
          rows={found.pages.flatMap(({ items }) => items)}
          isLoaded={found.data !== undefined}
          search={search}
          summary={summary}
          more={found.more}
          onSearch={go}
        />
      </LoadedList>
    </Page>
  );
}

/** Returns the address of a file with the payouts that the filters find. */
const fileOf = (search: PayoutSearch) => (format: "csv" | "xlsx") =>
  addressOf("GET /api/payout-export", { query: { ...payoutsQuery(search), format } }).address;
