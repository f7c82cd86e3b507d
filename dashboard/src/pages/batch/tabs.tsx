import { Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { type ListedPayout, ROW_COLUMNS } from "../../components/payout-table.tsx";
import { PayoutStateBadge } from "../../components/state-badge.tsx";
import { When } from "../../components/when.tsx";
import { GivenApprovals } from "../approvals/given.tsx";
import { type BatchPage, timelineQuery } from "./queries.ts";

const route = getRouteApi("/desk/batches/$id");

const TABS = ["payouts", "approvals", "timeline"] as const;
export type Tab = (typeof TABS)[number];

const NAMES: Readonly<Record<Tab, string>> = {
  payouts: "Payouts",
  approvals: "Approvals",
  timeline: "Timeline",
};

/** Which of them is open stands in the address. */
export function BatchTabs({ batch }: { readonly batch: BatchPage }) {
  const { tab = "payouts" } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (name: string | null): void =>
    void navigate({ search: { tab: TABS.find((each) => each === name) ?? "payouts" } });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List>
        {TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {NAMES[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="payouts" pt="md">
        <Payouts key={batch.state} id={batch.batch_id} />
      </Tabs.Panel>
      <Tabs.Panel value="approvals" pt="md">
        <Text size="sm">{batch.policy.why}.</Text>
        <GivenApprovals of={batch.policy.approvals} />
        <Text size="xs" c="dimmed">
          Approved as content {batch.content_digest.slice(0, 16)}…
        </Text>
      </Tabs.Panel>
      <Tabs.Panel value="timeline" pt="md">
        <Timeline id={batch.batch_id} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Payouts({ id }: { readonly id: string }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/payouts", "batch", id, cursor],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", {
        query: { batch: id, sort: "oldest", limit: 25, ...(cursor ? { cursor } : {}) },
        signal,
      }),
  });
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const { next } = page;
  return (
    <DataTable
      caption="Payouts of this batch"
      hideCaption
      columns={PAYOUT_COLUMNS}
      rows={page.items}
      rowKey={({ code }) => code}
      onFirst={cursor === undefined ? undefined : () => setCursor(undefined)}
      onNext={next === null ? undefined : () => setCursor(next)}
      empty={<EmptyState text="No row of this file can be sent." />}
    />
  );
}

const { line, name, account, amount } = ROW_COLUMNS;
const PAYOUT_COLUMNS: readonly Column<ListedPayout>[] = [
  line,
  name,
  account,
  amount,
  { key: "state", header: "State", cell: ({ state }) => <PayoutStateBadge state={state} /> },
];

type Line = Answer<"GET /api/batches/:id/timeline">["items"][number];

function Timeline({ id }: { readonly id: string }) {
  const { data: timeline, error } = useQuery(timelineQuery(id));
  if (error) return <ErrorState error={error} />;
  if (!timeline) return <Loading />;
  return (
    <DataTable
      caption="What people and payrun did with it"
      hideCaption
      columns={LINE_COLUMNS}
      rows={timeline.items}
      rowKey={({ at, action }) => `${at} ${action}`}
    />
  );
}

const ACTIONS: Readonly<Record<string, string>> = {
  ingest: "brought the file",
  submit: "asked for approval",
  correct: "corrected rows",
  leave_out: "left the wrong rows out",
  approval: "approved; others are missing",
  approve: "approved, and sending began",
  withdraw_approval: "took the approval back",
  give_back: "gave it back",
  question: "asked",
  pause: "paused it",
  resume: "went on",
  cancel: "cancelled it",
  cancel_rest: "cancelled the rest",
  finish: "every payout has settled",
  finish_with_exceptions: "every payout has ended",
  finish_cancelled: "every payout was cancelled",
};

const LINE_COLUMNS: readonly Column<Line>[] = [
  { key: "at", header: "Time", cell: ({ at }) => <When at={at} /> },
  { key: "by", header: "Who", names: true, cell: ({ by }) => by.name },
  { key: "did", header: "What", cell: ({ action }) => ACTIONS[action] ?? action },
  { key: "words", header: "In their words", cell: ({ words }) => words ?? "–" },
];
