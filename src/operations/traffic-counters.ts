/**
 * The traffic counters that a process reports to the ledger every few seconds. The ledger stores
 * them by position in this list, so append new ones at the end.
 */
export const TRAFFIC_COUNTERS = [
  "accepted",
  "duplicate",
  "refused_row",
  "refused_system",
  "not_sent",
  "ambiguous",
  "unmapped",
  "status_queries",
  "callbacks",
  "stray_callbacks",
  "unreadable_status",
] as const;

export type TrafficCounter = (typeof TRAFFIC_COUNTERS)[number];

/**
 * Upper bounds of the latency buckets in milliseconds, each about half as large again. They are
 * also stored by position. Longer durations fall into the last bucket.
 */
export const LATENCY_MS: readonly number[] = [
  10, 15, 22, 33, 50, 75, 110, 170, 250, 380, 570, 850, 1_300, 1_900, 2_900, 4_300, 6_500, 9_700,
  15_000, 22_000, 33_000, 50_000,
];

/** The traffic of one lane. Counts that belong to no lane, such as callbacks, have the lane "". */
export interface LaneSample {
  readonly lane: string;
  /** In the order of TRAFFIC_COUNTERS. */
  readonly counts: readonly number[];
  /** Payout requests, in the order of LATENCY_MS. */
  readonly latency: readonly number[];
}

/** Returns the index of the latency bucket for a duration in milliseconds. */
export const latencyBucket = (ms: number): number => {
  const place = LATENCY_MS.findIndex((end) => ms <= end);
  return place === -1 ? LATENCY_MS.length - 1 : place;
};

/**
 * Returns the duration that this share of the requests did not exceed, interpolated within its
 * bucket. Null: there were no requests.
 */
export function latencyAt(share: number, counts: readonly number[]): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [place, count] of counts.entries()) {
    if (count > 0 && below + count >= share * all) {
      const [from, to] = [LATENCY_MS[place - 1] ?? 0, LATENCY_MS[place] ?? 0];
      return Math.round(from + (to - from) * ((share * all - below) / count));
    }
    below += count;
  }
  return LATENCY_MS.at(-1) ?? null;
}
