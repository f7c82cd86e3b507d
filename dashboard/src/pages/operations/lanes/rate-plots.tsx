import { useMemo } from "react";
import type { Answer } from "../../../server/client.ts";
import { Chart } from "../../../components/chart/chart.tsx";
import { messages as texts } from "./plot-messages.ts";

type Rates = Answer<"GET /api/operations/rates">;
type Step = Rates["steps"][number];
type Counter = keyof Step["counts"];

const LARGE = 260;

/** Lines for the responses and the latency of the last minutes. */
export function RatePlots({ rates, minutes }: { readonly rates: Rates; readonly minutes: number }) {
  const { times, responses, latency } = useMemo(() => linesOf(rates, minutes), [rates, minutes]);
  return (
    <>
      <Chart title={texts.perSecond} times={times} series={responses} height={LARGE} />
      <Chart title={texts.latency} times={times} series={latency} />
    </>
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
  const rate = (label: string, colour: string, names: readonly Counter[]) => {
    const { values, ...line } = series(
      label,
      colour,
      ({ counts }) =>
        Math.round((names.reduce((sum, name) => sum + counts[name], 0) / size) * 100) / 100,
    );
    return { ...line, values: values.map((value) => value ?? 0) };
  };
  return {
    times,
    responses: RESPONSES.map(({ label, colour, names }) => rate(label, colour, names)),
    latency: [
      series(texts.median, "--accent", ({ p50_ms }) => p50_ms),
      series(texts.p95, "--hold-fill", ({ p95_ms }) => p95_ms),
    ],
  };
}

const RESPONSES: readonly {
  readonly label: string;
  readonly colour: string;
  readonly names: readonly Counter[];
}[] = [
  { label: texts.accepted, colour: "--progress-fill", names: ["accepted", "duplicate"] },
  { label: texts.rowDeclined, colour: "--declined-fill", names: ["refused_row"] },
  { label: texts.deferred, colour: "--hold-fill", names: ["refused_system", "not_sent"] },
  { label: texts.inconclusive, colour: "--doubt-fill", names: ["ambiguous", "unmapped"] },
  { label: texts.queried, colour: "--draft-fill", names: ["status_queries"] },
];
