import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { usePages } from "../../base/list/use-pages.ts";
import { ExportMenu } from "../../components/export-menu.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { lazyList, LoadedList } from "../../components/list-table/loaded-list.tsx";
import { Page } from "../../components/page.tsx";
import { addressOf } from "../../server/address.ts";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { messages } from "./page-messages.ts";
import { type DepositSearch, depositsQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/deposits");

const DepositList = lazyList(() => import("./deposit-list.tsx"));

/** The list of deposits with its filters, sums and files. */
export function DepositsPage() {
  const search = route.useSearch();
  const { sort: _, ...filters } = search;
  const navigate = route.useNavigate();
  const mayCollect = useMay("collect");
  const query = depositsQuery(search);
  const found = usePages(["GET /api/deposits", search], (cursor, signal) =>
    call("GET /api/deposits", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  const summary = useQuery({
    queryKey: ["GET /api/deposit-summary", filters],
    queryFn: ({ signal }) =>
      call("GET /api/deposit-summary", { query: depositsQuery(filters), signal }),
    placeholderData: keepPreviousData,
  }).data;
  const go = (next: DepositSearch, change?: SearchChange): void =>
    void navigate({ to: "/deposits", search: next, ...change });
  return (
    <Page
      title={messages.title}
      actions={
        <>
          <ExportMenu
            addressOf={(format) =>
              addressOf("GET /api/deposit-export", { query: { ...query, format } }).address
            }
          />
          {mayCollect ? (
            <Button component={Link} to="/deposits/new">
              {messages.request}
            </Button>
          ) : null}
        </>
      }
    >
      <LoadedList found={found}>
        <DepositList
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
