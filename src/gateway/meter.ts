import type { Outcome } from "#payout/outcome.ts";
import {
  LATENCY_MS,
  type LaneSample,
  latencyBucket,
  TRAFFIC_COUNTERS,
  type TrafficCounter,
} from "#operations/traffic-counters.ts";
import type { PayoutClient } from "./client.ts";
import type { Evidence } from "./exchange.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

/** The counts since the last call of `drain`. */
export interface MeteredTraffic {
  readonly samples: readonly LaneSample[];
  /** From the last answer that contained the time. */
  readonly gatewayOffsetMs: number | null;
}

/** The lane name of counts that belong to no lane, such as callbacks. */
const NO_LANE = "";

/** Counts the gateway traffic of one process. */
export class TrafficMeter {
  #lanes = new Map<string, { counts: number[]; latency: number[] }>();
  #gatewayOffsetMs: number | null = null;

  count(name: TrafficCounter, lane = NO_LANE): void {
    const { counts } = this.#of(lane);
    const place = TRAFFIC_COUNTERS.indexOf(name);
    counts[place] = (counts[place] ?? 0) + 1;
  }

  recordAnswer({ dateOffsetMs }: Pick<Evidence, "dateOffsetMs">): void {
    this.#gatewayOffsetMs = dateOffsetMs ?? this.#gatewayOffsetMs;
  }

  recordDuration(ms: number, lane = NO_LANE): void {
    const { latency } = this.#of(lane);
    const place = latencyBucket(ms);
    latency[place] = (latency[place] ?? 0) + 1;
  }

  #of(lane: string): { counts: number[]; latency: number[] } {
    const known = this.#lanes.get(lane);
    if (known) return known;
    const created = { counts: TRAFFIC_COUNTERS.map(() => 0), latency: LATENCY_MS.map(() => 0) };
    this.#lanes.set(lane, created);
    return created;
  }

  /** Returns the counts and resets them. */
  drain(): MeteredTraffic {
    const samples = [...this.#lanes].map(([lane, counted]) => ({ lane, ...counted }));
    this.#lanes = new Map();
    return { samples, gatewayOffsetMs: this.#gatewayOffsetMs };
  }

  /** Adds back counts that could not be reported. */
  restore({ samples }: MeteredTraffic): void {
    for (const { lane, counts, latency } of samples) {
      const now = this.#of(lane);
      now.counts = now.counts.map((count, place) => count + (counts[place] ?? 0));
      now.latency = now.latency.map((count, place) => count + (latency[place] ?? 0));
    }
  }
}

/**
 * Wraps a client so every exchange is counted.
 *
 * @param laneOf returns the lane of a currency.
 */
export const withMeter = <C extends PayoutClient>(
  client: C,
  trafficMeter: TrafficMeter,
  laneOf: (currency: string) => string,
): C => ({
  ...client,
  async submitPayout(order) {
    const submission = await client.submitPayout(order);
    if (submission.kind === "attempted") {
      const { outcome, evidence } = submission;
      const lane = laneOf(order.money.currency);
      trafficMeter.count(trafficCounterOf(outcome), lane);
      if (outcome.kind !== "deferred" || !UNSENT.has(outcome.code))
        trafficMeter.recordDuration(evidence.elapsedMs, lane);
      trafficMeter.recordAnswer(evidence);
    }
    return submission;
  },
  async status(currency, transactionCode) {
    const reply = await client.status(currency, transactionCode);
    const lane = laneOf(currency);
    trafficMeter.count("status_queries", lane);
    const { answer, evidence } = reply;
    if (answer.kind === "found" && answer.record.state === "unclear")
      trafficMeter.count("unreadable_status", lane);
    trafficMeter.recordAnswer(evidence);
    return reply;
  },
});

/** Our own codes for requests of which no byte left. */
const UNSENT: ReadonlySet<string> = new Set(["not_sent", "no_merchant"]);
/** Matches a doubt caused by an unreadable answer, and not by silence or a documented code. */
const UNREAD = /^(?:unknown_message|conflict|unreadable)$/;

/** Returns the throughput counter to which an outcome belongs. */
export function trafficCounterOf(outcome: Outcome): TrafficCounter {
  switch (outcome.kind) {
    case "accepted":
    case "duplicate":
      return outcome.kind;
    case "declined":
      return "refused_row";
    case "deferred":
      return UNSENT.has(outcome.code) ? "not_sent" : "refused_system";
    case "in_doubt": {
      const isUnlisted = /^\d{1,3}$/.test(outcome.code) && !ERROR_CODES[outcome.code];
      return isUnlisted || UNREAD.test(outcome.code) ? "unmapped" : "ambiguous";
    }
  }
}
