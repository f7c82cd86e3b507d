import type { LedgerParts } from "#ledger/ledger-parts.ts";
import * as pauses from "#ledger/payout/lane/lane-pauses.ts";
import type { LanePause, PauseOrder } from "#ledger/payout/lane/lane-pauses.ts";
import {
  limitLane,
  type LimitOrder,
  type LimitedLane,
  findLimitedLanes,
} from "#ledger/payout/lane/rate-limit.ts";
import { bind } from "#ledger/steps/bind.ts";

/** Pauses and rate limits of lanes. Each function is one commit. */
export interface LaneLedger {
  /**
   * Stops sending of the lane, or of every lane, until it is resumed or its time has passed. With
   * `drain`, batches that have started continue. openLanes does not end a pause. Returns false if
   * the lane never had a payout.
   */
  pauseLane(order: Omit<PauseOrder, "at">): Promise<boolean>;
  /** Returns false if there is no such pause. */
  resumeLane(order: Omit<PauseOrder, "at" | "until" | "drain">): Promise<boolean>;
  /** Returns the current pauses, that of every lane first. */
  lanePauses(): Promise<LanePause[]>;
  /**
   * Limits what all processes together send of the lane. Returns false if the lane never had a
   * payout.
   */
  limitLane(order: Omit<LimitOrder, "at">): Promise<boolean>;
  limitedLanes(): Promise<LimitedLane[]>;
}

/** Creates the functions that pause and limit lanes. */
export const laneLedger = ({ database, now, inTransaction }: LedgerParts): LaneLedger => ({
  pauseLane: (order) =>
    inTransaction((transaction) => pauses.pauseLane(transaction, { ...order, at: now() })),
  resumeLane: (order) =>
    inTransaction((transaction) => pauses.resumeLane(transaction, { ...order, at: now() })),
  limitLane: (order) =>
    inTransaction((transaction) => limitLane(transaction, { ...order, at: now() })),
  ...bind([database], { lanePauses: pauses.lanePauses, limitedLanes: findLimitedLanes }),
});
