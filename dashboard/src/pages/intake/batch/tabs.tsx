import { Stack, Tabs, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { type ListedPayout, FILE_ROW_COLUMNS } from "../../../components/payout/payout-table.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { paging } from "../../../base/paging.ts";
import { useMay } from "../../../server/session.ts";
import { RecordedApprovals } from "../../approval/recorded-approvals.tsx";
import { FilesTab, FindingsTab } from "./file-tabs.tsx";
import { messages } from "../messages.tsx";
import { type BatchView, timelineQuery } from "../queries.ts";
import { batchSearch, TABS } from "./search-params.ts";

const AuditTab = lazy(async () => ({ default: (await import("./audit-tab.tsx")).AuditTab }));

const route = getRouteApi("/dashboard/batches/$id");

/** The URL contains the open tab. */
export function BatchTabs({ batch }: { readonly batch: BatchView }) {
  const mayAudit = useMay("audit");
  const { tab: wanted } = route.useSearch();
  const tabs = TABS.filter((name) => name !== "audit" || mayAudit);
  const tab = tabs.find((name) => name === wanted) ?? "payouts";
  const navigate = route.useNavigate();
  const open = (name: string | null): void => void navigate({ search: batchSearch({ tab: name }) });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {messages.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="payouts" pt="md">
        <Payouts batch={batch} />
      </Tabs.Panel>
      <Tabs.Panel value="findings" pt="md">
        <Stack gap="md">
          <FindingsTab id={batch.batch_id} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="approvals" pt="md">
        <Text size="sm">{messages.approvals.rule(batch.policy.why)}</Text>
        <RecordedApprovals of={batch.policy.approvals} />
        <Text size="xs" c="dimmed">
          {messages.approvals.digest(batch.content_digest.slice(0, 16))}
        </Text>
      </Tabs.Panel>
      <Tabs.Panel value="files" pt="md">
        <Stack gap="md">
          <FilesTab id={batch.batch_id} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="timeline" pt="md">
        <Timeline id={batch.batch_id} />
      </Tabs.Panel>
      <Tabs.Panel value="audit" pt="md">
        <Stack gap="md">
          <Suspense fallback={<Loading />}>
            <AuditTab id={batch.batch_id} />
          </Suspense>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Reloads when the state of the batch changes, and every five seconds while payrun sends it. */
function Payouts({ batch: { batch_id: id, state } }: { readonly batch: BatchView }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const isWorking = state === "approved" || state === "paused";
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/payouts", "batch", id, state, cursor],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", {
        query: { batch: id, sort: "oldest", limit: 25, ...(cursor ? { cursor } : {}) },
        signal,
      }),
    refetchInterval: isWorking ? 5_000 : false,
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const { next } = page;
  return (
    <DataTable
      caption={messages.payouts.caption}
      hideCaption
      columns={PAYOUT_COLUMNS}
      rows={page.items}
      rowKey={({ code }) => code}
      paging={paging(["batch-payouts", id], { cursor, next }, setCursor)}
      empty={<EmptyState text={messages.payouts.empty} />}
    />
  );
}

const { line, name, account, amount } = FILE_ROW_COLUMNS;
const PAYOUT_COLUMNS: readonly Column<ListedPayout>[] = [
  line,
  name,
  account,
  amount,
  {
    key: "state",
    header: messages.payouts.state,
    card: "state",
    cell: ({ state }) => <PayoutStateBadge state={state} />,
  },
];

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
