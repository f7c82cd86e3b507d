import { SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import type { Answer } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { PayoutStateBadge } from "../../components/state-badge.tsx";
import { progressQuery } from "./queries.ts";

/** The lines come after the figures, which are what one came for. */
const Chart = lazy(async () => ({ default: (await import("../../components/chart.tsx")).Chart }));

type Progress = Answer<"GET /api/batches/:id/progress">;

/** How it went: progress, pace, and what did not go as it should, by cause. */
export function Charts({ id, isWorking }: { readonly id: string; readonly isWorking: boolean }) {
  const { data: progress } = useQuery(progressQuery(id, isWorking));
  if (!progress) return null;
  return (
    <>
      <Section title="How it goes">
        <Suspense>
          <Lines points={progress.points} />
        </Suspense>
      </Section>
      {progress.causes.length === 0 ? null : (
        <Section title="What did not go as it should">
          <DataTable
            caption="By cause"
            hideCaption
            columns={COLUMNS}
            rows={progress.causes}
            rowKey={({ state, cause, currency }) => `${state} ${cause} ${currency}`}
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
      { label: "sent", values: points.map(({ sent }) => sent), colour: "#4c6ef5" },
      { label: "settled", values: points.map(({ paid }) => paid), colour: "#2f9e5a" },
      { label: "not paid", values: points.map(({ not_paid }) => not_paid), colour: "#e03131" },
    ],
    [points],
  );
  const pace = useMemo(
    () => [
      {
        label: "answers per second",
        values: points.map(({ answers_per_second }) => answers_per_second),
        colour: "#4c6ef5",
      },
    ],
    [points],
  );
  const latency = useMemo(
    () => [
      {
        label: "95 % within ms",
        values: points.map(({ p95_ms }) => p95_ms),
        colour: "#9c4dcc",
      },
    ],
    [points],
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Chart title="Payouts so far" times={times} series={progress} />
      <Chart title="Pace" times={times} series={pace} />
      <Chart title="How long the gateway takes" times={times} series={latency} />
    </SimpleGrid>
  );
}

const COLUMNS: readonly Column<Progress["causes"][number]>[] = [
  { key: "state", header: "State", cell: ({ state }) => <PayoutStateBadge state={state} /> },
  {
    key: "cause",
    header: "Cause",
    names: true,
    cell: ({ cause, means }) => (
      <>
        {means ?? cause ?? "no cause on record"}
        {means === null ? null : (
          <Text size="xs" c="dimmed">
            {cause}
          </Text>
        )}
      </>
    ),
  },
  { key: "count", header: "Payouts", numeric: true, cell: ({ count }) => count.toLocaleString() },
  { key: "sum", header: "Sum", numeric: true, cell: (cause) => <Amount of={cause} /> },
];
