import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { DURATIONS, type DurationHistogram } from "#base/telemetry/histograms.ts";

/**
 * Passes the histograms of this process to an exporter. `/api/metrics` returns the same counts
 * under the same names, which Prometheus derives from the names and units here.
 */
export function histogramProducer(resource: Resource, nowMs: () => number): MetricProducer {
  const startTime = hrTimeOf(nowMs());
  return {
    async collect() {
      const endTime = hrTimeOf(nowMs());
      const metrics = Object.values(DURATIONS)
        .filter((histogram) => histogram.series().length > 0)
        .map((histogram) => metricOf(histogram, startTime, endTime));
      const scopeMetrics = [{ scope: { name: "payrun" }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

const metricOf = (
  histogram: DurationHistogram,
  startTime: HrTime,
  endTime: HrTime,
): MetricData => ({
  descriptor: {
    name: otlpName(histogram.name),
    description: histogram.help,
    unit: "s",
    valueType: ValueType.DOUBLE,
  },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
  dataPointType: DataPointType.HISTOGRAM,
  dataPoints: histogram.series().map(({ labels, counts, count, sumSeconds }) => ({
    startTime,
    endTime,
    attributes: labelsOf(histogram, labels),
    value: {
      buckets: { boundaries: [...histogram.limits], counts: [...counts] },
      sum: sumSeconds,
      count,
    },
  })),
});

const labelsOf = ({ labelNames }: DurationHistogram, labels: readonly string[]) =>
  Object.fromEntries(labelNames.map((name, at) => [name, labels[at] ?? ""]));

/** Returns the name from which Prometheus derives `payrun_<name>`: it appends the unit. */
const otlpName = (name: string): string =>
  `payrun.${name.replace(/_seconds$/, "").replaceAll("_", ".")}`;

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
