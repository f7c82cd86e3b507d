import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { Chart } from "../../components/chart.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { messages as texts } from "./rates-messages.ts";
import classes from "./rate-charts.module.css";

type Rates = Answer<"GET /api/operations/rates">;
type Step = Rates["steps"][number];

const SPANS = [
  { value: "10", label: texts.minutes(10) },
  { value: "30", label: texts.minutes(30) },
  { value: "180", label: texts.hours(3) },
  { value: "1440", label: texts.hours(24) },
];
const ASK_AGAIN_MS = 10_000;
const BLUE = "#3b86c4";
const GREEN = "#2f9e5a";
const ORANGE = "#d9771f";
const RED = "#e03131";
const PURPLE = "#9c4dcc";

/** Charts of the request rate, the latency and the other answers of the gateway. */
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
      title={texts.title}
      actions={
        <NativeSelect
          size="xs"
          aria-label={texts.span}
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
        {texts.empty}
      </Text>
    );
  const { times, perSecond, latency, outcomes } = lines;
  return (
    <div className={classes.charts}>
      <Chart title={texts.perSecond} times={times} series={perSecond} />
      <Chart title={texts.latency} times={times} series={latency} />
      <Chart title={texts.otherAnswers} times={times} series={outcomes} />
    </div>
  );
}

/** Fills steps without samples with zero, so that the chart does not connect their neighbours. */
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
      rate(texts.sent, BLUE, SENT),
      rate(texts.accepted, GREEN, ["accepted"]),
      rate(texts.queried, PURPLE, ["status_queries"]),
    ],
    latency: [
      series(texts.median, BLUE, ({ p50_ms }) => p50_ms),
      series(texts.p95, ORANGE, ({ p95_ms }) => p95_ms),
    ],
    outcomes: [
      rate(texts.rowDeclined, RED, ["refused_row"]),
      rate(texts.deferred, ORANGE, ["refused_system", "not_sent"]),
      rate(texts.inconclusive, PURPLE, ["ambiguous", "unmapped"]),
      rate(texts.duplicate, BLUE, ["duplicate"]),
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
