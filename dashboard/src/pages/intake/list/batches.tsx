import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { usePages } from "../../../base/list/use-pages.ts";
import { ExportMenu } from "../../../components/export-menu.tsx";
import type { SearchChange } from "../../../components/list-table/list-column.ts";
import { lazyList, LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { Page } from "../../../components/page.tsx";
import { addressOf } from "../../../server/address.ts";
import { call } from "../../../server/client.ts";
import { useMay } from "../../../server/session.ts";
import { messages } from "./messages.ts";
import { type BatchesSearch, batchesQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/batches");

const BatchList = lazyList(() => import("./batch-list.tsx"));

const REFRESH_MS = 5_000;

/** The list of batches with its filters, saved views, sums and files. */
export function BatchesPage() {
  const search = route.useSearch();
  const { sort: _, ...filters } = search;
  const navigate = route.useNavigate();
  const mayUpload = useMay("upload");
  const query = batchesQuery(search);
  const found = usePages(
    ["GET /api/batches", search],
    (cursor, signal) =>
      call("GET /api/batches", { query: { ...query, ...(cursor && { cursor }) }, signal }),
    { refreshMs: REFRESH_MS },
  );
  const summary = useQuery({
    queryKey: ["GET /api/batch-summary", filters],
    queryFn: ({ signal }) =>
      call("GET /api/batch-summary", { query: batchesQuery(filters), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  }).data;
  const go = (next: BatchesSearch, change?: SearchChange): void =>
    void navigate({ to: "/batches", search: next, ...change });
  return (
    <Page
      title={messages.title}
      actions={
        <>
          <ExportMenu
            addressOf={(format) =>
              addressOf("GET /api/batch-export", { query: { ...query, format } }).address
            }
          />
          {mayUpload ? (
            <Button component={Link} to="/upload">
              {messages.upload}
            </Button>
          ) : null}
        </>
      }
    >
      <LoadedList found={found}>
        <BatchList
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
