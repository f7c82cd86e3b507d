import type { Clock } from "#clock.ts";

/** Payouts that a process has on the wire in a lane until the gateway answers one of them. */
const ON_WIRE_MAX = 5;

interface Lane {
  readonly onWire: number;
  readonly answeredAtMs: number | null;
}

/**
 * Lets a lane begin with a few payouts: a gateway that answers later than the timeout leaves those in doubt, and not all that
 * this process can send at once. From an answer on, and for the length of the timeout, there is no limit.
 */
export class LaneStart {
  readonly #nowMs: Clock["monotonicMs"];
  readonly #timeoutMs: number;
  readonly #lanes = new Map<string, Lane>();

  constructor(nowMs: Clock["monotonicMs"], timeoutMs: number) {
    this.#nowMs = nowMs;
    this.#timeoutMs = timeoutMs;
  }

  /** How many more payouts of the lane may go on the wire now. */
  room(lane: string): number {
    const { onWire, answeredAtMs } = this.#of(lane);
    const isAnswered = answeredAtMs !== null && this.#nowMs() - answeredAtMs <= this.#timeoutMs;
    return isAnswered ? Infinity : Math.max(0, ON_WIRE_MAX - onWire);
  }

  /** So many more, or fewer, are on the wire. */
  add(lane: string, count: number): void {
    const known = this.#of(lane);
    this.#lanes.set(lane, { ...known, onWire: known.onWire + count });
  }

  /** The gateway has answered a payout request of the lane in time. */
  answered(lane: string): void {
    this.#lanes.set(lane, { ...this.#of(lane), answeredAtMs: this.#nowMs() });
  }

  #of(lane: string): Lane {
    return this.#lanes.get(lane) ?? { onWire: 0, answeredAtMs: null };
  }
}
