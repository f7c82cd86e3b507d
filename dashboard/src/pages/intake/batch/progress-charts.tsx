import { SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import type { Answer } from "../../../server/client.ts";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { messages } from "./messages.tsx";
import { progressQuery } from "../queries.ts";

const texts = messages.charts;

/** Loaded after the figures, which matter more. */
const Chart = lazy(async () => ({
  default: (await import("../../../components/chart/chart.tsx")).Chart,
}));

type Progress = Answer<"GET /api/batches/:id/progress">;

/** Progress, throughput and failure groups of a batch. */
export function ProgressCharts({
  id,
  isWorking,
}: {
  readonly id: string;
  readonly isWorking: boolean;
}) {
  const { data: progress } = useQuery(progressQuery(id, isWorking));
  if (!progress) return null;
  return (
    <>
      <Section title={texts.title}>
        <Suspense>
          <Lines points={progress.points} />
        </Suspense>
      </Section>
      {progress.reasons.length === 0 ? null : (
        <Section title={texts.failures}>
          <DataTable
            caption={texts.failures}
            hideCaption
            columns={COLUMNS}
            rows={progress.reasons}
            rowKey={({ state, reason, currency }) => `${state} ${reason} ${currency}`}
          />
        </Section>
      )}
    </>
  );
}

function Lines({ points }: Pick<Progress, "points">) {
  const times = useMemo(() => points.map(({ at }) => new Date(at).getTime() / 1000), [points]);
  const progress = useMemo(
    () => [
      { label: texts.sent, values: points.map(({ sent }) => sent), colour: "--progress-fill" },
      {
        label: texts.settled,
        values: points.map(({ settled }) => settled),
        colour: "--settled-fill",
      },
      {
        label: texts.declined,
        values: points.map(({ declined }) => declined),
        colour: "--declined-fill",
      },
    ],
    [points],
  );
  const pace = useMemo(
    () => [
      {
        label: texts.answersPerSecond,
        values: points.map(({ answers_per_second }) => answers_per_second),
        colour: "--progress-fill",
      },
    ],
    [points],
  );
  const latency = useMemo(
    () => [
      {
        label: texts.percentile95,
        values: points.map(({ p95_ms }) => p95_ms),
        colour: "--accent",
      },
    ],
    [points],
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Chart title={texts.payouts} times={times} series={progress} />
      <Chart title={texts.throughput} times={times} series={pace} />
      <Chart title={texts.responseTime} times={times} series={latency} />
    </SimpleGrid>
  );
}

const COLUMNS: readonly Column<Progress["reasons"][number]>[] = [
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state }) => <PayoutStateBadge state={state} />,
  },
  {
    key: "reason",
    header: texts.reason,
    names: true,
    cell: ({ reason, meaning }) => (
      <>
        {meaning ?? reason ?? texts.noReason}
        {meaning === null ? null : (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </>
    ),
  },
  { key: "count", header: texts.count, numeric: true, cell: ({ count }) => count.toLocaleString() },
  {
    key: "sum",
    header: texts.total,
    numeric: true,
    card: "amount",
    cell: (row) => <Amount of={row} />,
  },
];
