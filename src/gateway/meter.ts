import type { Outcome } from "#payout/outcome.ts";
import {
  LATENCY_MS,
  latencyPlace,
  PULSE_COUNTS,
  type PulseCount,
} from "#operations/traffic-counters.ts";
import type { PayoutClient } from "./client.ts";
import type { Evidence } from "./exchange.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

/** The counts since the last call of `take`. */
export interface Metered {
  /** In the order of PULSE_COUNTS. */
  readonly counts: readonly number[];
  /** Payout requests, in the order of LATENCY_MS. */
  readonly latency: readonly number[];
  /** From the last answer that contained the time. */
  readonly gatewayOffsetMs: number | null;
}

/** Counts the gateway traffic of one process. */
export class Meter {
  #counts: number[] = PULSE_COUNTS.map(() => 0);
  #latency: number[] = LATENCY_MS.map(() => 0);
  #gatewayOffsetMs: number | null = null;

  count(name: PulseCount): void {
    const place = PULSE_COUNTS.indexOf(name);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  answered({ dateOffsetMs }: Pick<Evidence, "dateOffsetMs">): void {
    this.#gatewayOffsetMs = dateOffsetMs ?? this.#gatewayOffsetMs;
  }

  took(ms: number): void {
    const place = latencyPlace(ms);
    this.#latency[place] = (this.#latency[place] ?? 0) + 1;
  }

  /** Returns the counts and resets them. */
  take(): Metered {
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
  giveBack({ counts, latency }: Metered): void {
    this.#counts = this.#counts.map((count, place) => count + (counts[place] ?? 0));
    this.#latency = this.#latency.map((count, place) => count + (latency[place] ?? 0));
  }
}

/** Wraps a client so every exchange is counted. */
export const metered = <C extends PayoutClient>(client: C, meter: Meter): C => ({
  ...client,
  async submitPayout(order) {
    const submission = await client.submitPayout(order);
    if (submission.kind === "attempted") {
      const { outcome, evidence } = submission;
      meter.count(classOf(outcome));
      if (outcome.kind !== "deferred" || !UNSENT.has(outcome.code)) meter.took(evidence.elapsedMs);
      meter.answered(evidence);
    }
    return submission;
  },
  async status(currency, transactionCode) {
    const reply = await client.status(currency, transactionCode);
    meter.count("status_queries");
    const { answer, evidence } = reply;
    if (answer.kind === "found" && answer.record.state === "unclear")
      meter.count("unreadable_status");
    meter.answered(evidence);
    return reply;
  },
});

/** Our own codes for requests of which no byte left. */
const UNSENT: ReadonlySet<string> = new Set(["not_sent", "no_merchant"]);
/** Matches a doubt caused by an unreadable answer, and not by silence or a documented code. */
const UNREAD = /^(?:unknown_message|conflict|unreadable)$/;

/** Returns the throughput counter to which an outcome belongs. */
export function classOf(outcome: Outcome): PulseCount {
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
