import type { ThroughputSample } from "#ledger/operations/throughput-samples.ts";
import { latencyAt, TRAFFIC_COUNTERS, type TrafficCounter } from "#operations/traffic-counters.ts";

/** Adds up throughput samples by kind. */
export function countsOf(steps: readonly ThroughputSample[]): Record<TrafficCounter, number> {
  const sumAt = (place: number) => steps.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0);
  return Object.fromEntries(TRAFFIC_COUNTERS.map((name, place) => [name, sumAt(place)])) as Record<
    TrafficCounter,
    number
  >;
}

/** Returns the median and the 95th percentile of the duration of requests, in milliseconds. */
export function latencyOf(steps: readonly ThroughputSample[]) {
  const longest = Math.max(0, ...steps.map(({ latency }) => latency.length));
  const counts = Array.from({ length: longest }, (_, place) =>
    steps.reduce((sum, { latency }) => sum + (latency[place] ?? 0), 0),
  );
  return { p50_ms: latencyAt(0.5, counts), p95_ms: latencyAt(0.95, counts) };
}

/** Returns the number of payout requests, regardless of their outcome. */
export const triesCount = (counts: Readonly<Record<TrafficCounter, number>>): number =>
  counts.accepted +
  counts.duplicate +
  counts.refused_row +
  counts.refused_system +
  counts.not_sent +
  counts.ambiguous +
  counts.unmapped;
