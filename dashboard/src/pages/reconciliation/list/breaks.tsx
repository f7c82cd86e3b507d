import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { usePages } from "../../../base/list/use-pages.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { lazyList, LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { Page } from "../../../components/page.tsx";
import { call } from "../../../server/client.ts";
import { useMay } from "../../../server/session.ts";
import { isStarted, lanesQuery } from "../lane-query.ts";
import { Lanes } from "./lanes.tsx";
import { messages } from "../messages.ts";
import { Replacements } from "./replacements.tsx";
import { type BreakSearch, breaksQuery } from "../search-params.ts";

const route = getRouteApi("/dashboard/reconciliation");

const BreakList = lazyList(() => import("./break-list.tsx"));

/** Loaded with the list. */
const RecentActions = lazy(() => import("../action/recent-actions.tsx"));

/** The list of breaks with its filters. */
export function BreaksPage() {
  const mayOperate = useMay("operate");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = breaksQuery(search);
  const found = usePages(["GET /api/breaks", search], (cursor, signal) =>
    call("GET /api/breaks", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  const { data: overview } = useQuery(lanesQuery);
  const lanes = overview?.items ?? [];
  const hasLanes = overview !== undefined;
  const isCompared = lanes.some(({ last_statement: statement }) => statement?.is_compared);
  // Without a comparison, an empty list of breaks would suggest that everything agrees.
  const hasList =
    isCompared ||
    Object.keys(search).length > 0 ||
    found.pages.some(({ counts }) => counts.length > 0);
  const go = (next: BreakSearch): void => void navigate({ to: "/reconciliation", search: next });
  return (
    <Page
      title={messages.title}
      facts={messages.explained}
      actions={
        <>
          <Button component={Link} to="/reconciliation/days" variant="default">
            {messages.days}
          </Button>
          {mayOperate ? (
            <Button component={Link} to="/reconciliation/upload">
              {messages.upload}
            </Button>
          ) : null}
        </>
      }
    >
      <Replacements />
      {isCompared || !hasLanes ? null : <EmptyState text={messages.notCompared} />}
      {lanes.some(isStarted) ? <Lanes of={lanes} /> : null}
      {hasList ? (
        <LoadedList found={found}>
          <BreakList
            rows={found.pages.flatMap(({ items }) => items)}
            isLoaded={found.data !== undefined}
            search={search}
            summary={found.pages[0]?.counts}
            more={found.more}
            onSearch={go}
          />
        </LoadedList>
      ) : null}
      {isCompared ? (
        <Suspense>
          <RecentActions />
        </Suspense>
      ) : null}
    </Page>
  );
}
