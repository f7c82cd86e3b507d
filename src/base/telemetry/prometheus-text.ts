import { DURATIONS, type DurationHistogram } from "#base/telemetry/histograms.ts";

export type Labels = Readonly<Record<string, string>>;

/** Content type of Prometheus's text format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Formats the histograms of this process for Prometheus. Those without a request are omitted. */
export const durationsText = (
  histograms: readonly DurationHistogram[] = Object.values(DURATIONS),
): string =>
  histograms
    .filter((histogram) => histogram.series().length > 0)
    .map((histogram) => `${linesOf(histogram).join("\n")}\n`)
    .join("");

function linesOf(histogram: DurationHistogram): readonly string[] {
  const name = `payrun_${histogram.name}`;
  const samples = histogram.series().flatMap(({ labels, counts, count, sumSeconds }) => {
    const own = Object.fromEntries(
      histogram.labelNames.map((label, at) => [label, labels[at] ?? ""]),
    );
    let below = 0;
    const buckets = histogram.limits.map((limit, at) => {
      below += counts[at] ?? 0;
      return `${name}_bucket${labelText({ ...own, le: String(limit) })} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket${labelText({ ...own, le: "+Inf" })} ${count}`,
      `${name}_sum${labelText(own)} ${sumSeconds}`,
      `${name}_count${labelText(own)} ${count}`,
    ];
  });
  return [`# HELP ${name} ${histogram.help}`, `# TYPE ${name} histogram`, ...samples];
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const escaped = (value: string): string =>
  value.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] ?? character);

/** Formats labels, escaped. Empty if there are none. */
export function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
