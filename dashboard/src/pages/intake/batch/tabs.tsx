import { Badge, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import type { Answer } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { UnreadComments } from "../../../components/comments/unread-comments.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { useScrollToCurrent } from "../../../base/scroll-to-current.ts";
import { useMay } from "../../../server/session.ts";
import { RecordedApprovals } from "../../approval/recorded-approvals.tsx";
import { messages } from "./messages.tsx";
import { PayoutsTab } from "./payouts-tab.tsx";
import classes from "./tabs.module.css";
import { messages as roomMessages } from "../messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { timelineQuery } from "../queries.ts";
import { batchSearch, type Tab, TABS } from "./search-params.ts";

const ProgressCharts = lazy(async () => ({
  default: (await import("./progress-charts.tsx")).ProgressCharts,
}));
const Comments = lazy(async () => ({
  default: (await import("../../../components/comments/comments.tsx")).Comments,
}));
const FindingsTab = lazy(async () => ({ default: (await import("./file-tabs.tsx")).FindingsTab }));
const FilesTab = lazy(async () => ({ default: (await import("./file-tabs.tsx")).FilesTab }));
const AuditTab = lazy(async () => ({ default: (await import("./audit-tab.tsx")).AuditTab }));

const route = getRouteApi("/dashboard/batches/$id");

/** The numbers next to the names of the tabs, where they are known without loading the tab. */
const tabCounts = ({ payouts, policy }: BatchView): Partial<Record<Tab, number>> => ({
  payouts,
  approvals: policy.approvals.filter(({ live }) => live).length,
});

/** The URL contains the open tab. */
export function BatchTabs({
  batch,
  amounts,
}: {
  readonly batch: BatchView;
  /** Above the payouts: their amounts by state, and the causes of failures. */
  readonly amounts: ReactNode;
}) {
  const mayAudit = useMay("audit");
  const { tab: wanted, ...filters } = route.useSearch();
  const tabs = TABS.filter(
    (name) => (name !== "audit" || mayAudit) && (name !== "charts" || batch.approved_at !== null),
  );
  // A batch to correct opens on its findings, unless the link filters its payouts.
  const isToCorrect = batch.state === "needs_correction" && batch.rejected > 0;
  const usual = isToCorrect && Object.keys(filters).length === 0 ? "findings" : "payouts";
  const tab = tabs.find((name) => name === wanted) ?? usual;
  const navigate = route.useNavigate();
  const open = (name: string | null): void =>
    void navigate({ search: batchSearch({ tab: name }), resetScroll: false });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <TabNames tabs={tabs} shown={tab} batch={batch} />
      <Tabs.Panel key={tab} value={tab} pt="md">
        <Stack gap="md">
          <Suspense fallback={<Loading />}>
            {tab === "payouts" ? amounts : null}
            <TabContent name={tab} batch={batch} />
          </Suspense>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

/** The names of the tabs, with a number where one is known. */
function TabNames({
  tabs,
  shown,
  batch,
}: {
  readonly tabs: readonly Tab[];
  readonly shown: Tab;
  readonly batch: BatchView;
}) {
  const row = useScrollToCurrent<HTMLDivElement>(shown);
  const counts = tabCounts(batch);
  const asideOf = (name: Tab): ReactNode =>
    name === "comments" ? (
      <UnreadComments subject={{ batch: batch.batch_id }} />
    ) : counts[name] ? (
      <Badge variant="light" color="gray" size="sm" radius="sm">
        {counts[name].toLocaleString()}
      </Badge>
    ) : null;
  return (
    <Tabs.List ref={row} className={`${classes.tabs} scroll-row`}>
      {tabs.map((name) => (
        <Tabs.Tab key={name} value={name} rightSection={asideOf(name)}>
          {messages.tabs[name]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

function TabContent({ name, batch }: { readonly name: Tab; readonly batch: BatchView }) {
  const { batch_id: id, state } = batch;
  switch (name) {
    case "payouts":
      return <PayoutsTab batch={batch} />;
    case "findings":
      return <FindingsTab id={id} />;
    case "files":
      return <FilesTab id={id} />;
    case "approvals":
      return <Approvals batch={batch} />;
    case "comments":
      return <Comments subject={{ batch: id }} />;
    case "timeline":
      return <Timeline id={id} />;
    case "charts":
      return <ProgressCharts id={id} isWorking={state === "approved" || state === "paused"} />;
    case "audit":
      return <AuditTab id={id} />;
  }
}

const Approvals = ({ batch: { policy, content_digest } }: { readonly batch: BatchView }) => (
  <>
    <Text size="sm">{roomMessages.approvals.rule(policy.why)}</Text>
    <RecordedApprovals of={policy.approvals} />
    <Text size="xs" c="dimmed">
      {roomMessages.approvals.digest(content_digest.slice(0, 16))}
    </Text>
  </>
);

const texts = messages.history;

type Line = Answer<"GET /api/batches/:id/timeline">["items"][number];

function Timeline({ id }: { readonly id: string }) {
  const { data: timeline, error } = useQuery(timelineQuery(id));
  if (error) return <ErrorState error={error} />;
  if (!timeline) return <Loading />;
  return (
    <DataTable
      caption={texts.caption}
      hideCaption
      columns={LINE_COLUMNS}
      rows={timeline.items}
      rowKey={({ at, action }) => `${at} ${action}`}
    />
  );
}

const LINE_COLUMNS: readonly Column<Line>[] = [
  { key: "at", header: texts.time, cell: ({ at }) => <Timestamp at={at} /> },
  { key: "by", header: texts.by, names: true, cell: ({ by }) => by.name },
  {
    key: "did",
    header: texts.action,
    card: "title",
    cell: ({ action }) => (
      <span title={action}>{texts.actions[action] ?? action.replaceAll("_", " ")}</span>
    ),
  },
  { key: "text", header: texts.words, cell: ({ text }) => text ?? "–" },
];
