import type { Outcome } from "#payout/outcome.ts";
import {
  LATENCY_MS,
  latencyBucket,
  TRAFFIC_COUNTERS,
  type TrafficCounter,
} from "#operations/traffic-counters.ts";
import type { PayoutClient } from "./client.ts";
import type { Evidence } from "./exchange.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

/** The counts since the last call of `take`. */
export interface MeteredTraffic {
  /** In the order of TRAFFIC_COUNTERS. */
  readonly counts: readonly number[];
  /** Payout requests, in the order of LATENCY_MS. */
  readonly latency: readonly number[];
  /** From the last answer that contained the time. */
  readonly gatewayOffsetMs: number | null;
}

/** Counts the gateway traffic of one process. */
export class TrafficMeter {
  #counts: number[] = TRAFFIC_COUNTERS.map(() => 0);
  #latency: number[] = LATENCY_MS.map(() => 0);
  #gatewayOffsetMs: number | null = null;

  count(name: TrafficCounter): void {
    const place = TRAFFIC_COUNTERS.indexOf(name);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  recordAnswer({ dateOffsetMs }: Pick<Evidence, "dateOffsetMs">): void {
    this.#gatewayOffsetMs = dateOffsetMs ?? this.#gatewayOffsetMs;
  }

  recordDuration(ms: number): void {
    const place = latencyBucket(ms);
    this.#latency[place] = (this.#latency[place] ?? 0) + 1;
  }

  /** Returns the counts and resets them. */
  drain(): MeteredTraffic {
    const taken = {
      counts: this.#counts,
      latency: this.#latency,
      gatewayOffsetMs: this.#gatewayOffsetMs,
    };
    this.#counts = taken.counts.map(() => 0);
    this.#latency = taken.latency.map(() => 0);
    return taken;
  }

  /** Adds back counts that could not be reported. */
  restore({ counts, latency }: MeteredTraffic): void {
    this.#counts = this.#counts.map((count, place) => count + (counts[place] ?? 0));
    this.#latency = this.#latency.map((count, place) => count + (latency[place] ?? 0));
  }
}

/** Wraps a client so every exchange is counted. */
export const withMeter = <C extends PayoutClient>(client: C, trafficMeter: TrafficMeter): C => ({
  ...client,
  async submitPayout(order) {
    const submission = await client.submitPayout(order);
    if (submission.kind === "attempted") {
      const { outcome, evidence } = submission;
      trafficMeter.count(trafficCounterOf(outcome));
      if (outcome.kind !== "deferred" || !UNSENT.has(outcome.code))
        trafficMeter.recordDuration(evidence.elapsedMs);
      trafficMeter.recordAnswer(evidence);
    }
    return submission;
  },
  async status(currency, transactionCode) {
    const reply = await client.status(currency, transactionCode);
    trafficMeter.count("status_queries");
    const { answer, evidence } = reply;
    if (answer.kind === "found" && answer.record.state === "unclear")
      trafficMeter.count("unreadable_status");
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
