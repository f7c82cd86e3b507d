/** Upper limits of the buckets, in seconds. */
const LIMITS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;

/** Maximum number of label combinations of one histogram. Any others are counted as "other". */
const SERIES_MAX = 1_000;
const OTHER = "other";
/** Separates label values in a key. No label value contains it. */
const SEPARATOR = "\u0000";

/** The durations counted for one combination of label values. */
export interface Series {
  readonly labels: readonly string[];
  /** Number of durations in each bucket, and finally of those above the highest limit. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
}

interface CountedSeries extends Series {
  readonly counts: number[];
  count: number;
  sumSeconds: number;
}

/**
 * Counts the requests of one kind in this process by their duration: their rate, their errors (a
 * label) and their duration.
 *
 * @example
 * ```ts
 * import { DurationHistogram } from "#base/telemetry/histograms.ts";
 *
 * const histogram = new DurationHistogram("call_duration_seconds", "Calls.", ["result"]);
 * histogram.record(0.02, "answered");
 * console.log(histogram.series()[0]?.count); // → 1
 * ```
 */
export class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly limits: readonly number[] = LIMITS;
  readonly #series = new Map<string, CountedSeries>();

  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** Counts one duration in seconds, with a value for each label. */
  record(seconds: number, ...labels: readonly string[]): void {
    const series = this.#of(labels);
    let bucket = 0;
    while (bucket < LIMITS.length && seconds > (LIMITS[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sumSeconds += seconds;
  }

  /** Returns everything counted since the process started. */
  series(): readonly Series[] {
    return [...this.#series.values()];
  }

  #of(labels: readonly string[]): CountedSeries {
    const key = labels.join(SEPARATOR);
    const known = this.#series.get(key);
    if (known) return known;
    if (this.#series.size >= SERIES_MAX && labels.some((label) => label !== OTHER))
      return this.#of(labels.map(() => OTHER));
    const counts = Array.from({ length: LIMITS.length + 1 }, () => 0);
    const created = { labels, counts, count: 0, sumSeconds: 0 };
    this.#series.set(key, created);
    return created;
  }
}

/** The requests, errors and durations of this process. */
export const DURATIONS = {
  http: new DurationHistogram(
    "http_request_duration_seconds",
    "Requests that this process answered, by route and status class, with their duration.",
    ["method", "route", "status"],
  ),
  gateway: new DurationHistogram(
    "gateway_request_duration_seconds",
    "Requests of this process to the gateway, by endpoint and HTTP status or connection error, with their duration.",
    ["endpoint", "result"],
  ),
  job: new DurationHistogram(
    "job_duration_seconds",
    "Jobs that this process ran, by queue and result, with their duration.",
    ["queue", "result"],
  ),
  statement: new DurationHistogram(
    "ledger_statement_duration_seconds",
    "SQL statements of this process in the ledger, by command and table, with their duration.",
    ["statement", "result"],
  ),
} as const;
