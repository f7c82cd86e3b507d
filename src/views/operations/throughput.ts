import type { PulseSum } from "#ledger/operations/throughput-samples.ts";
import { latencyAt, PULSE_COUNTS, type PulseCount } from "#operations/traffic-counters.ts";

/** Adds up throughput samples by kind. */
export function countsOf(steps: readonly PulseSum[]): Record<PulseCount, number> {
  const sumAt = (place: number) => steps.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0);
  return Object.fromEntries(PULSE_COUNTS.map((name, place) => [name, sumAt(place)])) as Record<
    PulseCount,
    number
  >;
}

/** Returns the median and the 95th percentile of the duration of requests, in milliseconds. */
export function latencyOf(steps: readonly PulseSum[]) {
  const longest = Math.max(0, ...steps.map(({ latency }) => latency.length));
  const counts = Array.from({ length: longest }, (_, place) =>
    steps.reduce((sum, { latency }) => sum + (latency[place] ?? 0), 0),
  );
  return { p50_ms: latencyAt(0.5, counts), p95_ms: latencyAt(0.95, counts) };
}

/** Returns the number of payout requests, regardless of their outcome. */
export const triesIn = (counts: Readonly<Record<PulseCount, number>>): number =>
  counts.accepted +
  counts.duplicate +
  counts.refused_row +
  counts.refused_system +
  counts.not_sent +
  counts.ambiguous +
  counts.unmapped;
