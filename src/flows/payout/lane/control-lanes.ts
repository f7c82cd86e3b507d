import type { Clock } from "#base/clock.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { laneFromName } from "#payout/lane/lane.ts";
import type { RateLimits } from "#payout/lane/rate-limit.ts";
import { err, ok, type Result } from "#base/result.ts";

interface LaneOrder {
  /** The lane as people name it. */
  readonly name: string;
  readonly reason: string;
  readonly actor: string;
}

export interface LanePauseOrder extends LaneOrder {
  /** The end of the pause. Null: until a person resumes the lane. */
  readonly until: Date | null;
  readonly drain: boolean;
}

/**
 * Pauses one lane or all lanes until a person resumes them or the time has passed. With `drain`,
 * batches of which payouts were sent may finish. Payouts that were sent are still followed.
 */
export async function pauseLane(
  { name, until, ...order }: LanePauseOrder,
  { ledger, clock }: { readonly ledger: PayingLedger; readonly clock: Pick<Clock, "nowMs"> },
): Promise<Result<true, "unknown_lane" | "time_passed">> {
  if (until && !(until.getTime() > clock.nowMs())) return err("time_passed");
  const isPaused = await ledger.payout.pauseLane({ ...order, lane: laneFromName(name), until });
  return isPaused ? ok(true) : err("unknown_lane");
}

/** Ends a pause that a person set. */
export async function resumeLane(
  { name, ...order }: LaneOrder,
  ledger: PayingLedger,
): Promise<Result<true, "not_paused">> {
  const isResumed = await ledger.payout.resumeLane({ ...order, lane: laneFromName(name) });
  return isResumed ? ok(true) : err("not_paused");
}

/**
 * Sets the rate limits of a lane, for all processes together. A limit that is left out is
 * unchanged.
 */
export async function limitLane(
  { name, ...order }: LaneOrder & Partial<RateLimits>,
  ledger: PayingLedger,
): Promise<Result<true, "unknown_lane">> {
  const isKnown = await ledger.payout.limitLane({ ...order, lane: name });
  return isKnown ? ok(true) : err("unknown_lane");
}

/**
 * Opens a lane that an answer of the gateway stopped. A person thereby confirms that the cause is
 * fixed.
 */
export async function openLane(
  { name, ...by }: LaneOrder,
  ledger: PayingLedger,
): Promise<Result<true, "not_stopped">> {
  const opened = await ledger.payout.openLanes([name], by);
  return opened.length > 0 ? ok(true) : err("not_stopped");
}
