import type { MONITORING_API } from "#api/operations/monitoring.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import {
  findLaneSamples,
  findThroughputSamples,
  type ThroughputSample,
} from "#ledger/operations/throughput-samples.ts";
import type { Database } from "#ledger/store/database.ts";
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

const STEPS = 180;
const STEP_SECONDS = 10;

/** Returns the requests and responses of the last minutes, of all lanes or of one. */
export async function ratesView(
  database: Database,
  { minutes, lane = null }: { readonly minutes: number; readonly lane?: string | null | undefined },
): Promise<AnswerOf<(typeof MONITORING_API)["GET /api/operations/rates"]>> {
  const seconds = minutes * 60;
  const step = Math.ceil(seconds / STEPS / STEP_SECONDS) * STEP_SECONDS;
  const steps = await findThroughputSamples(database, { seconds, step, lane });
  return {
    step_seconds: step,
    steps: steps.map((each) => ({
      at: each.at.toISOString(),
      counts: countsOf([each]),
      ...latencyOf([each]),
    })),
  };
}

const LATELY_SECONDS = 600;
const MINUTE_SECONDS = 60;
const TREND_SECONDS = 120;
const TREND_STEPS = 30;

/** Returns the recent traffic of each lane that has had any in the last hour. */
export async function laneRates(database: Database, nowMs: number) {
  const [trend, lately, minute] = await Promise.all([
    findLaneSamples(database, { seconds: TREND_SECONDS * TREND_STEPS, step: TREND_SECONDS }),
    findLaneSamples(database, { seconds: LATELY_SECONDS, step: LATELY_SECONDS }),
    findLaneSamples(database, { seconds: MINUTE_SECONDS, step: MINUTE_SECONDS }),
  ]);
  const last = Math.floor(nowMs / 1_000 / TREND_SECONDS);
  return [...Map.groupBy(trend, ({ lane }) => lane)].map(([lane, steps]) => {
    const ofLane = (samples: typeof trend) => samples.filter((each) => each.lane === lane);
    const counts = countsOf(ofLane(lately));
    const tries = triesCount(counts);
    const sent = new Map(
      steps.map((each) => [
        Math.floor(each.at.getTime() / 1_000 / TREND_SECONDS),
        triesCount(countsOf([each])),
      ]),
    );
    return {
      lane,
      per_second: Math.round((triesCount(countsOf(ofLane(minute))) / MINUTE_SECONDS) * 10) / 10,
      accepted_percent: tries === 0 ? null : Math.round((counts.accepted / tries) * 1_000) / 10,
      p95_ms: latencyOf(ofLane(lately)).p95_ms,
      sent: Array.from(
        { length: TREND_STEPS },
        (_, at) => sent.get(last - TREND_STEPS + 1 + at) ?? 0,
      ),
    };
  });
}
