import type { Clock } from "#base/clock.ts";

/**
 * Maximum number of payouts that a process has in flight in a lane until the gateway answers one.
 */
const IN_FLIGHT_MAX = 5;

interface Lane {
  readonly inFlight: number;
  readonly answeredAtMs: number | null;
}

/**
 * Starts each lane with a few payouts. If the gateway answers later than the timeout, only those
 * are in doubt, not all that this process can send concurrently. Each answer lifts the limit for
 * the length of the timeout.
 */
export class SlowStart {
  readonly #nowMs: Clock["monotonicMs"];
  readonly #timeoutMs: number;
  readonly #lanes = new Map<string, Lane>();

  constructor(nowMs: Clock["monotonicMs"], timeoutMs: number) {
    this.#nowMs = nowMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns how many more payouts of the lane may be sent now. */
  freeCount(lane: string): number {
    const { inFlight, answeredAtMs } = this.#of(lane);
    const isAnswered = answeredAtMs !== null && this.#nowMs() - answeredAtMs <= this.#timeoutMs;
    return isAnswered ? Infinity : Math.max(0, IN_FLIGHT_MAX - inFlight);
  }

  /** Changes the number of payouts in flight by `count`, which may be negative. */
  add(lane: string, count: number): void {
    const known = this.#of(lane);
    this.#lanes.set(lane, { ...known, inFlight: known.inFlight + count });
  }

  /** Notes that the gateway has answered a payout request of the lane in time. */
  answered(lane: string): void {
    this.#lanes.set(lane, { ...this.#of(lane), answeredAtMs: this.#nowMs() });
  }

  #of(lane: string): Lane {
    return this.#lanes.get(lane) ?? { inFlight: 0, answeredAtMs: null };
  }
}
