/**
 * The sending rate of a lane. Pure: the ledger stores the state and calls these functions in the
 * transaction that claims. Times are milliseconds of the ledger's clock.
 */
export interface LaneRate extends RateLimits {
  /** Turns up to this time are used. */
  readonly usedUntilMs: number;
  readonly slowdown: Slowdown | null;
}

/** Limits set by a person for all processes together. Null: no limit. */
export interface RateLimits {
  /** Payouts sent per second. */
  readonly rate: number | null;
  /** Concurrent requests that send a payout. */
  readonly concurrency: number | null;
}

/** A rate below the configured one, because of the gateway's answers. */
export interface Slowdown {
  readonly rate: number;
  /**
   * Half of the rate that was too high. The rate doubles up to here and then rises in small steps.
   * Null: not known.
   */
  readonly targetRate: number | null;
  /** Payouts sent since the last step. */
  readonly sent: number;
  readonly sinceMs: number;
}

/** Other batches that have payouts to send in the same lane now. */
export interface CompetingBatches {
  /** Batches of a higher priority. */
  readonly before: number;
  /** Batches of the same priority. */
  readonly beside: number;
  /** Turns that this batch has had. Null: it has never requested one. */
  readonly turns: number | null;
  /**
   * Fewest turns among the other batches of the same priority. Null: there are none, or none has
   * requested a turn.
   */
  readonly fewest: number | null;
}

export const NO_COMPETING_BATCHES: CompetingBatches = {
  before: 0,
  beside: 0,
  turns: null,
  fewest: null,
};

export const UNLIMITED_RATE: LaneRate = {
  rate: null,
  concurrency: null,
  usedUntilMs: 0,
  slowdown: null,
};

/**
 * Maximum burst after a pause, as milliseconds of the rate. It also covers the time between two
 * sweeps.
 */
const BURST_MS = 1_000;
/** Payouts per second at which a lane starts after a stop. */
const START_RATE = 8;
const RATE_MIN = 1;
/** Rate from which a lane without a limit is at full speed again. */
const FULL_RATE = 512;
/** Size of one small step, as a fraction of the target rate. */
const STEP = 0.05;
/** Age in milliseconds from which the gateway's answers are ignored. */
const FORGOTTEN_MS = 600_000;
/** A turn further in the future than this was taken before the ledger's clock was set back. */
const AHEAD_MAX_MS = 10_000;
const POLL_MS = 200;
/** Two polls and a sweep: by then the batches of a higher priority have requested their turns. */
const UNUSED_TURNS_AFTER_MS = 600;
const SECOND_MS = 1_000;

/** Returns the current slowdown caused by the gateway's answers. Null: there is none. */
export const currentSlowdown = ({ slowdown }: LaneRate, nowMs: number): Slowdown | null =>
  slowdown && nowMs - slowdown.sinceMs < FORGOTTEN_MS ? slowdown : null;

/** Returns whether any limit applies to a lane at this time. */
export const isRateLimited = (pace: LaneRate, nowMs: number): boolean =>
  pace.rate !== null || pace.concurrency !== null || currentSlowdown(pace, nowMs) !== null;

const currentRate = (pace: LaneRate, nowMs: number): number =>
  Math.min(pace.rate ?? Infinity, currentSlowdown(pace, nowMs)?.rate ?? Infinity);

/**
 * Returns how many payouts of one batch may be claimed now. Infinity: no limit. Batches of the same
 * priority share the turns. A batch of a lower priority leaves each turn to the higher ones for a
 * moment and takes what they leave, so a batch that cannot be sent for its own reasons never blocks
 * the others for good.
 */
export function availableTurns(
  pace: LaneRate,
  nowMs: number,
  inFlight: number,
  rivals: CompetingBatches = NO_COMPETING_BATCHES,
): number {
  const free = pace.concurrency === null ? Infinity : Math.max(0, pace.concurrency - inFlight);
  const mine = Math.ceil(free / (rivals.beside + 1));
  const rate = currentRate(pace, nowMs);
  if (rate === Infinity) return mine;
  const startMs = turnsStartMs(pace, nowMs, rate);
  // A small tolerance: exactly one turn must not be lost to floating-point rounding.
  const turnsAt = (ms: number) =>
    Math.max(0, Math.floor(((ms - startMs) * rate) / SECOND_MS + 1e-6));
  const left = turnsAt(nowMs - UNUSED_TURNS_AFTER_MS);
  if (rivals.before > 0) return Math.min(mine, left);
  const fresh = Math.min(turnsAt(nowMs), turnsPerRound(rate, rivals) - turnsAhead(rate, rivals));
  return Math.min(mine, Math.max(left, fresh));
}

/** Number of turns that a batch may be ahead of the others of its priority. */
const turnsPerRound = (rate: number, { beside }: CompetingBatches): number =>
  beside === 0 ? Infinity : Math.max(1, Math.ceil((rate * POLL_MS) / SECOND_MS / (beside + 1)));

/**
 * Returns how many turns the batch is ahead. After an idle time it may catch up one round, not
 * everything that it missed.
 */
function turnsAhead(rate: number, rivals: CompetingBatches): number {
  if (rivals.fewest === null) return 0;
  const { turns, fewest } = rivals;
  return Math.max((turns ?? fewest) - fewest, -turnsPerRound(rate, rivals));
}

/** Returns the turns that the batch has had after `count` more. */
export function turnsAfterClaim(
  pace: LaneRate,
  nowMs: number,
  rivals: CompetingBatches,
  count: number,
): number {
  if (rivals.fewest === null) return (rivals.turns ?? 0) + count;
  return rivals.fewest + turnsAhead(currentRate(pace, nowMs), rivals) + count;
}

/** Returns the time from which turns are available. */
function turnsStartMs({ usedUntilMs }: LaneRate, nowMs: number, rate: number): number {
  const used = usedUntilMs > nowMs + AHEAD_MAX_MS ? 0 : usedUntilMs;
  return Math.max(used, nowMs - Math.max(BURST_MS, SECOND_MS / rate));
}

/** Returns the pace after `count` payouts were claimed. */
export function rateAfterClaim(
  pace: LaneRate,
  nowMs: number,
  inFlight: number,
  count: number,
): LaneRate {
  const rate = currentRate(pace, nowMs);
  if (rate === Infinity) return { ...pace, slowdown: null };
  const usedUntilMs = turnsStartMs(pace, nowMs, rate) + (count * SECOND_MS) / rate;
  return { ...pace, usedUntilMs, slowdown: raisedRate(pace, nowMs, inFlight, count) };
}

/**
 * Raises the rate by a step once one second's worth of requests was answered since the last step
 * without a stop.
 */
function raisedRate(
  pace: LaneRate,
  nowMs: number,
  inFlight: number,
  count: number,
): Slowdown | null {
  const slow = currentSlowdown(pace, nowMs);
  if (!slow) return null;
  const answered = slow.sent - inFlight;
  if (answered < slow.rate) return { ...slow, sent: slow.sent + count };
  const { targetRate } = slow;
  const doubles = targetRate === null || slow.rate < targetRate;
  const rate = doubles
    ? Math.min(slow.rate * 2, targetRate ?? Infinity)
    : slow.rate + Math.max(RATE_MIN, targetRate * STEP);
  if (rate >= Math.min(pace.rate ?? FULL_RATE, FULL_RATE)) return null;
  return { rate, targetRate, sent: inFlight + count, sinceMs: nowMs };
}

/**
 * Returns the pace of a lane that has just stopped, with which it starts when it opens.
 *
 * @param isTooFast the gateway asked for a pause (HTTP 429): halves the rate, once for everything
 * sent since the last step.
 */
export function rateAfterStop(isTooFast: boolean, pace: LaneRate, nowMs: number): LaneRate {
  const slow = currentSlowdown(pace, nowMs);
  const before = slow?.rate ?? pace.rate;
  if (isTooFast && before !== null) {
    if (slow?.sent === 0) return { ...pace, slowdown: { ...slow, sinceMs: nowMs } };
    const rate = Math.max(RATE_MIN, before / 2);
    return { ...pace, slowdown: { rate, targetRate: rate, sent: 0, sinceMs: nowMs } };
  }
  const rate = Math.min(START_RATE, before ?? START_RATE);
  return {
    ...pace,
    slowdown: { rate, targetRate: slow?.targetRate ?? null, sent: 0, sinceMs: nowMs },
  };
}

/** Returns the milliseconds until the next request for a turn. */
export function nextTurnMs(pace: LaneRate, nowMs: number): number {
  const rate = currentRate(pace, nowMs);
  const nextMs = rate === Infinity ? 0 : turnsStartMs(pace, nowMs, rate) + SECOND_MS / rate - nowMs;
  return Math.ceil(Math.max(POLL_MS, nextMs));
}
