import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type Answer, call } from "../../client.ts";
import { Chart } from "../../components/chart.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import classes from "./rates.module.css";

type Rates = Answer<"GET /api/operations/rates">;
type Step = Rates["steps"][number];

const SPANS = [
  { value: "10", label: "10 minutes" },
  { value: "30", label: "30 minutes" },
  { value: "180", label: "3 hours" },
  { value: "1440", label: "24 hours" },
];
const ASK_AGAIN_MS = 10_000;
const BLUE = "#3b86c4";
const GREEN = "#2f9e5a";
const ORANGE = "#d9771f";
const RED = "#e03131";
const PURPLE = "#9c4dcc";

/** How fast it goes, how long answers take, and what they say. */
export function RateCharts() {
  const [minutes, setMinutes] = useState("30");
  const { data: rates, error } = useQuery({
    queryKey: ["GET /api/operations/rates", minutes],
    queryFn: ({ signal }) =>
      call("GET /api/operations/rates", { query: { minutes: Number(minutes) }, signal }),
    refetchInterval: ASK_AGAIN_MS,
  });
  return (
    <Section
      title="Pace"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Time shown"
          data={SPANS}
          value={minutes}
          onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
        />
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {rates ? <Charts rates={rates} minutes={Number(minutes)} /> : error ? null : <Loading />}
    </Section>
  );
}

function Charts({ rates, minutes }: { readonly rates: Rates; readonly minutes: number }) {
  const lines = useMemo(() => linesOf(rates, minutes), [rates, minutes]);
  if (rates.steps.length === 0)
    return (
      <Text c="dimmed" size="sm">
        Nothing was sent or asked in this time.
      </Text>
    );
  const { times, perSecond, latency, outcomes } = lines;
  return (
    <div className={classes.charts}>
      <Chart title="Per second" times={times} series={perSecond} />
      <Chart title="Answers take, ms" times={times} series={latency} />
      <Chart title="Other answers, per second" times={times} series={outcomes} />
    </div>
  );
}

/** Steps in which nothing happened are zero, not a line from one neighbour to the other. */
function linesOf({ steps, step_seconds: size }: Rates, minutes: number) {
  const known = new Map(steps.map((step) => [Math.floor(Date.parse(step.at) / 1_000), step]));
  const end = Math.floor(Date.now() / 1_000 / size) * size;
  const count = Math.ceil((minutes * 60) / size);
  const times = Array.from({ length: count }, (_, at) => end - (count - 1 - at) * size);
  const series = (label: string, colour: string, value: (step: Step) => number | null) => ({
    label,
    colour,
    values: times.map((time) => {
      const step = known.get(time);
      return step ? value(step) : null;
    }),
  });
  const rate = (label: string, colour: string, names: readonly (keyof Step["counts"])[]) => {
    const { values, ...line } = series(
      label,
      colour,
      ({ counts }) =>
        Math.round((names.reduce((sum, name) => sum + counts[name], 0) / size) * 10) / 10,
    );
    return { ...line, values: values.map((value) => value ?? 0) };
  };
  return {
    times,
    perSecond: [
      rate("sent", BLUE, SENT),
      rate("accepted", GREEN, ["accepted"]),
      rate("asked", PURPLE, ["asked"]),
    ],
    latency: [
      series("half within", BLUE, ({ p50_ms }) => p50_ms),
      series("95 of 100 within", ORANGE, ({ p95_ms }) => p95_ms),
    ],
    outcomes: [
      rate("row refused", RED, ["refused_row"]),
      rate("refused for now, not reached", ORANGE, ["refused_system", "not_sent"]),
      rate("no clear answer", PURPLE, ["ambiguous", "unmapped"]),
      rate("code known (111)", BLUE, ["duplicate"]),
    ],
  };
}

const SENT = [
  "accepted",
  "duplicate",
  "refused_row",
  "refused_system",
  "not_sent",
  "ambiguous",
  "unmapped",
] as const;
