import type { Clock } from "#clock.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { laneNamed } from "#payout/lane.ts";
import type { LaneLimits } from "#payout/lane-pace.ts";
import { err, ok, type Result } from "#result.ts";

interface LaneOrder {
  /** As people name it. */
  readonly name: string;
  readonly reason: string;
  readonly actor: string;
}

export interface LanePauseOrder extends LaneOrder {
  /** Null: until a person resumes it. */
  readonly until: Date | null;
  readonly drain: boolean;
}

/**
 * Stops sending in a lane, or in all, until a person resumes it or its time is over; with `drain`, batches of which
 * something was sent finish. What was sent is still followed.
 */
export async function pauseLane(
  { name, until, ...order }: LanePauseOrder,
  { ledger, clock }: { readonly ledger: Ledger; readonly clock: Pick<Clock, "nowMs"> },
): Promise<Result<true, "unknown_lane" | "time_is_over">> {
  if (until && !(until.getTime() > clock.nowMs())) return err("time_is_over");
  const isPaused = await ledger.pauseLane({ ...order, lane: laneNamed(name), until });
  return isPaused ? ok(true) : err("unknown_lane");
}

/** Takes a person's pause back. */
export async function resumeLane(
  { name, ...order }: LaneOrder,
  ledger: Ledger,
): Promise<Result<true, "not_paused">> {
  const isResumed = await ledger.resumeLane({ ...order, lane: laneNamed(name) });
  return isResumed ? ok(true) : err("not_paused");
}

/** Bounds how fast all processes together send a lane; what is left out stays as it is. */
export async function limitLane(
  { name, ...order }: LaneOrder & Partial<LaneLimits>,
  ledger: Ledger,
): Promise<Result<true, "unknown_lane">> {
  const isKnown = await ledger.limitLane({ ...order, lane: name });
  return isKnown ? ok(true) : err("unknown_lane");
}

/** Opens a lane that was stopped by an answer of the gateway: a person's word that its cause is mended. */
export async function openLane(
  { name, ...by }: LaneOrder,
  ledger: Ledger,
): Promise<Result<true, "not_stopped">> {
  const opened = await ledger.openLanes([name], by);
  return opened.length > 0 ? ok(true) : err("not_stopped");
}
