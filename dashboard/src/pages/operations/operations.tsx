import { Badge, Tabs } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { useScrollToCurrent } from "../../base/scroll-to-current.ts";
import { useLive } from "../../server/live.ts";
import { HealthTab } from "./health/health-tab.tsx";
import { messages } from "./shared/messages.ts";
import type { OperationsView } from "./shared/operations-view.ts";
import classes from "./shared/operations.module.css";
import { PauseAllButton } from "./lanes/pause-all.tsx";
import { operationsSearch, TABS, type Tab } from "./shared/search-params.ts";

const LanesTab = lazy(async () => ({ default: (await import("./lanes/lanes-tab.tsx")).LanesTab }));
const WorkersTab = lazy(async () => ({
  default: (await import("./queues/workers-tab.tsx")).WorkersTab,
}));
const BreakersTab = lazy(async () => ({
  default: (await import("./lanes/breakers-tab.tsx")).BreakersTab,
}));
const EventsTab = lazy(async () => ({ default: (await import("./events-tab.tsx")).EventsTab }));

const route = getRouteApi("/dashboard/operations");

/** The page for people on call: health, lanes, workers and queues, circuit breakers and events. */
export function OperationsPage() {
  const client = useQueryClient();
  useLive(["operations"], (_topic, document) =>
    client.setQueryData(["GET /api/operations"], document),
  );
  const { data: view, error } = useQuery({
    queryKey: ["GET /api/operations"],
    queryFn: ({ signal }) => call("GET /api/operations", { signal }),
  });
  return (
    <Page title={messages.title} actions={view ? <PauseAllButton view={view} /> : null}>
      {error ? <ErrorState error={error} /> : null}
      {view ? <OperationsTabs view={view} /> : error ? null : <Loading />}
    </Page>
  );
}

/** The URL contains the open tab. */
function OperationsTabs({ view }: { readonly view: OperationsView }) {
  const { tab = "health" } = route.useSearch();
  const navigate = route.useNavigate();
  const row = useScrollToCurrent<HTMLDivElement>(tab);
  const open = (name: string | null): void =>
    void navigate({ search: operationsSearch({ tab: name }) });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List ref={row} className={`${classes.tabs} scroll-row`}>
        {TABS.map((name) => (
          <Tabs.Tab key={name} value={name} rightSection={<TabCount tab={name} view={view} />}>
            {messages.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} className={classes.panel}>
        <Suspense fallback={<Loading />}>
          <TabContent tab={tab} view={view} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

function TabContent({ tab, view }: { readonly tab: Tab; readonly view: OperationsView }) {
  switch (tab) {
    case "health":
      return <HealthTab view={view} />;
    case "lanes":
      return <LanesTab view={view} />;
    case "workers":
      return <WorkersTab view={view} />;
    case "breakers":
      return <BreakersTab view={view} />;
    case "events":
      return <EventsTab />;
  }
}

/** The number of things on a tab that need attention; nothing if there are none. */
function TabCount({ tab, view }: { readonly tab: Tab; readonly view: OperationsView }) {
  const count = COUNTS[tab]?.(view) ?? 0;
  return count === 0 ? null : (
    <Badge size="sm" circle color="orange" variant="light" aria-label={messages.attention(count)}>
      {count}
    </Badge>
  );
}

const COUNTS: Partial<Record<Tab, (view: OperationsView) => number>> = {
  health: ({ alarms }) => alarms.filter(({ level }) => level !== "info").length,
  lanes: ({ lanes }) => lanes.filter(({ stop, pause }) => stop !== null || pause !== null).length,
  workers: ({ workers }) => workers.filter(({ is_alive: isAlive }) => !isAlive).length,
};
