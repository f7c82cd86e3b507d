/**
 * How fast a lane may be sent. Pure: the ledger keeps the state and asks here, in the transaction that claims. Times
 * are milliseconds of the ledger's clock.
 */
export interface LanePace extends LaneLimits {
  /** Turns up to here are taken. */
  readonly usedUntilMs: number;
  readonly slow: Slow | null;
}

/** What a person has set for all processes together; null: no limit. */
export interface LaneLimits {
  /** Payouts sent a second. */
  readonly rate: number | null;
  /** Requests that send a payout at once. */
  readonly concurrency: number | null;
}

/** Slower than a person wanted it, because of what the gateway said. */
export interface Slow {
  readonly rate: number;
  /** Half of what was too much: the rate doubles up to here and is raised in small steps from here. Null: not known. */
  readonly aim: number | null;
  /** Sent since the last step. */
  readonly sent: number;
  readonly sinceMs: number;
}

/** Other batches that have something to send in the same lane now. */
export interface Rivals {
  /** Of a higher priority. */
  readonly before: number;
  /** Of the same. */
  readonly beside: number;
  /** Turns that this batch has had; null: it has never come for one. */
  readonly turns: number | null;
  /** The fewest that one of those beside it has had; null: there is none, or none has come for one. */
  readonly fewest: number | null;
}

export const NO_RIVALS: Rivals = { before: 0, beside: 0, turns: null, fewest: null };

export const NO_PACE: LanePace = { rate: null, concurrency: null, usedUntilMs: 0, slow: null };

/** After a rest, at most what this time is worth goes out at once; it also bridges the time between two sweeps. */
const BURST_MS = 1_000;
/** Payouts a second with which a lane begins after a stop. */
const START_RATE = 8;
const RATE_MIN = 1;
/** From here on a lane without a limit is at full speed again. */
const FULL_RATE = 512;
/** The part of the rate aimed at that one small step adds. */
const STEP = 0.05;
/** What the gateway said so long ago says nothing about now. */
const FORGOTTEN_MS = 600_000;
/** A turn further ahead than this was taken before the ledger's clock was set back. */
const AHEAD_MAX_MS = 10_000;
const POLL_MS = 200;
/** Two polls and a sweep: who goes before has come by then. */
const LEFT_FOR_MS = 600;
const SECOND_MS = 1_000;

/** Held back by the gateway's answers at the moment; null: not, or not any more. */
export const slowNow = ({ slow }: LanePace, nowMs: number): Slow | null =>
  slow && nowMs - slow.sinceMs < FORGOTTEN_MS ? slow : null;

export const isPaced = (pace: LanePace, nowMs: number): boolean =>
  pace.rate !== null || pace.concurrency !== null || slowNow(pace, nowMs) !== null;

const rateNow = (pace: LanePace, nowMs: number): number =>
  Math.min(pace.rate ?? Infinity, slowNow(pace, nowMs)?.rate ?? Infinity);

/**
 * How many payouts of one batch may be claimed now; Infinity: as many as there are. Batches of one priority share what
 * there is. A batch of a lower one leaves each turn for a moment to those before it, and takes what they have left: one
 * that cannot be sent for a reason of its own holds up nobody for good.
 */
export function turnsOf(
  pace: LanePace,
  nowMs: number,
  inFlight: number,
  rivals: Rivals = NO_RIVALS,
): number {
  const free = pace.concurrency === null ? Infinity : Math.max(0, pace.concurrency - inFlight);
  const mine = Math.ceil(free / (rivals.beside + 1));
  const rate = rateNow(pace, nowMs);
  if (rate === Infinity) return mine;
  const startMs = startOf(pace, nowMs, rate);
  // A hair more: what is exactly a turn must not fail by the last bit of a float.
  const turnsAt = (ms: number) =>
    Math.max(0, Math.floor(((ms - startMs) * rate) / SECOND_MS + 1e-6));
  const left = turnsAt(nowMs - LEFT_FOR_MS);
  if (rivals.before > 0) return Math.min(mine, left);
  const fresh = Math.min(turnsAt(nowMs), roundOf(rate, rivals) - leadOf(rate, rivals));
  return Math.min(mine, Math.max(left, fresh));
}

/** So many turns may a batch be ahead of those beside it. */
const roundOf = (rate: number, { beside }: Rivals): number =>
  beside === 0 ? Infinity : Math.max(1, Math.ceil((rate * POLL_MS) / SECOND_MS / (beside + 1)));

/** How far ahead it is. One that had nothing to send for a while is owed a round, not all that it has missed. */
function leadOf(rate: number, rivals: Rivals): number {
  if (rivals.fewest === null) return 0;
  const { turns, fewest } = rivals;
  return Math.max((turns ?? fewest) - fewest, -roundOf(rate, rivals));
}

/** Turns that the batch has had, after `count` more. */
export function turnsAfter(pace: LanePace, nowMs: number, rivals: Rivals, count: number): number {
  if (rivals.fewest === null) return (rivals.turns ?? 0) + count;
  return rivals.fewest + leadOf(rateNow(pace, nowMs), rivals) + count;
}

/** From where on turns are there to be taken. */
function startOf({ usedUntilMs }: LanePace, nowMs: number, rate: number): number {
  const used = usedUntilMs > nowMs + AHEAD_MAX_MS ? 0 : usedUntilMs;
  return Math.max(used, nowMs - Math.max(BURST_MS, SECOND_MS / rate));
}

/** The pace after `count` payouts were claimed. */
export function took(pace: LanePace, nowMs: number, inFlight: number, count: number): LanePace {
  const rate = rateNow(pace, nowMs);
  if (rate === Infinity) return { ...pace, slow: null };
  const usedUntilMs = startOf(pace, nowMs, rate) + (count * SECOND_MS) / rate;
  return { ...pace, usedUntilMs, slow: faster(pace, nowMs, inFlight, count) };
}

/** Faster by a step when a second's worth was answered since the last one, and no answer stopped the lane. */
function faster(pace: LanePace, nowMs: number, inFlight: number, count: number): Slow | null {
  const slow = slowNow(pace, nowMs);
  if (!slow) return null;
  const answered = slow.sent - inFlight;
  if (answered < slow.rate) return { ...slow, sent: slow.sent + count };
  const { aim } = slow;
  const doubles = aim === null || slow.rate < aim;
  const rate = doubles
    ? Math.min(slow.rate * 2, aim ?? Infinity)
    : slow.rate + Math.max(RATE_MIN, aim * STEP);
  if (rate >= Math.min(pace.rate ?? FULL_RATE, FULL_RATE)) return null;
  return { rate, aim, sent: inFlight + count, sinceMs: nowMs };
}

/**
 * The pace of a lane that was stopped just now: what it begins with when it opens.
 *
 * @param isTooFast the gateway asked to be left alone (HTTP 429): half as fast, once for what was sent since.
 */
export function slowedBy(isTooFast: boolean, pace: LanePace, nowMs: number): LanePace {
  const slow = slowNow(pace, nowMs);
  const before = slow?.rate ?? pace.rate;
  if (isTooFast && before !== null) {
    if (slow?.sent === 0) return { ...pace, slow: { ...slow, sinceMs: nowMs } };
    const rate = Math.max(RATE_MIN, before / 2);
    return { ...pace, slow: { rate, aim: rate, sent: 0, sinceMs: nowMs } };
  }
  const rate = Math.min(START_RATE, before ?? START_RATE);
  return { ...pace, slow: { rate, aim: slow?.aim ?? null, sent: 0, sinceMs: nowMs } };
}

/** When to come again for a turn. */
export function nextTurnMs(pace: LanePace, nowMs: number): number {
  const rate = rateNow(pace, nowMs);
  const nextMs = rate === Infinity ? 0 : startOf(pace, nowMs, rate) + SECOND_MS / rate - nowMs;
  return Math.ceil(Math.max(POLL_MS, nextMs));
}
