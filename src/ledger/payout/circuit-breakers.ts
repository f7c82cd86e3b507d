import * as canaries from "#ledger/payout/canaries.ts";
import type { Canary } from "#ledger/payout/canaries.ts";
import type { Database } from "#ledger/store/database.ts";
import * as health from "#ledger/payout/lane/lane-health.ts";
import { slowLaneDown, startLanesSlowly } from "#ledger/payout/lane/rate-limit.ts";
import * as lanes from "#ledger/payout/lane/lanes.ts";
import type { StoppedLane } from "#ledger/payout/lane/lanes.ts";
import {
  createProcessingTimeRecorder,
  findLongestProcessingTime,
} from "#ledger/payout/lane/processing-times.ts";
import { findInDoubtTotal } from "#ledger/payout/progress.ts";
import type { InDoubtTotal } from "#payout/circuit-breakers.ts";
import type { SendResult } from "#payout/lane/lane-health.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/**
 * Part of the ledger that the circuit breakers use. Its claims and lanes enforce what they decide.
 */
export interface CircuitBreakerLedger {
  /**
   * Stops the lane, which starts with a few payouts when it reopens. Returns false if it was
   * already stopped a moment ago.
   */
  stopLane(lane: string, stop: LaneStop): Promise<boolean>;
  /**
   * Opens lanes. `by` is the person who decided it. If absent, an answer of the gateway has shown
   * that the lane works.
   */
  openLanes(lanes: readonly string[], by?: lanes.OpenedBy): Promise<string[]>;
  stoppedLanes(): Promise<StoppedLane[]>;
  /** Returns true if the lane has opened. */
  recordProbeResult(lane: string, isAnswered: boolean): Promise<boolean>;
  /**
   * Records the result of a send. Returns the latest results of the lane, or null if they were not
   * evaluated or the lane is stopped.
   */
  recordSendResult(lane: string, mark: SendResult): Promise<string | null>;
  /**
   * Records an answer that payrun does not know. Returns how often it has occurred, or null if a
   * person has reviewed it.
   */
  recordUnknownAnswer(lane: string, answer: string): Promise<number | null>;
  /** Returns what is in doubt in the lane, over all batches that are being sent. */
  inDoubtTotal(lane: string): Promise<InDoubtTotal>;
  /** Records that an accepted payout of the lane has settled or was declined. */
  recordFinalState(lane: string): Promise<void>;
  /**
   * Records how long the gateway took for a payout request of the lane, in milliseconds. This value
   * determines how long other requests may still be in progress.
   */
  recordProcessingTime(lane: string, tookMs: number): Promise<void>;
  /**
   * Returns the longest processing time of the lane in the last day, in milliseconds; 0 if there is
   * none.
   */
  longestProcessingMs(lane: string): Promise<number>;
  /**
   * Counts accepted payouts of the lane that were sent at least this long ago. Returns 0 if one has
   * reached its final state since, or if a person opened the lane.
   */
  countWithoutFinalState(asked: health.WithoutFinalState): Promise<number>;

  /**
   * Sets how many payouts of each lane are sent before the rest may follow. Returns false if the
   * batch is already approved.
   */
  setCanary(order: {
    readonly batchId: string;
    readonly payouts: number;
    readonly actor: string;
  }): Promise<boolean>;
  /**
   * Returns canaries. Null: those that batches in progress wait for. For one batch, released
   * canaries are included.
   */
  canaries(batchId: string | null): Promise<Canary[]>;
  /**
   * Releases canaries and returns the lanes that waited. Without a reason, only lanes whose canary
   * has settled are released.
   */
  releaseCanaries(order: {
    readonly batchId: string;
    /** Null: all lanes of the batch. */
    readonly lane: string | null;
    readonly reason: string | null;
    readonly actor: string;
  }): Promise<string[]>;
  /** Pauses the batch until a person decides. Returns false if the batch is not being sent. */
  failCanary(order: {
    readonly batchId: string;
    readonly lane: string;
    readonly reason: string;
    readonly actor: string;
  }): Promise<boolean>;
}

/** Creates the store of circuit breaker results, which buffers good results per lane. */
export function createCircuitBreakerLedger(
  database: Database,
  now: () => Date,
): CircuitBreakerLedger {
  const marks = new health.SendResultBuffer((lane, added) =>
    health.appendSendResults(database, lane, added),
  );
  const endings = new health.FinalStateRecorder(
    () => now().getTime(),
    (lane) => health.storeFinalStateTime(database, lane),
  );
  const longest = createProcessingTimeRecorder(database, () => now().getTime());
  const inTransaction = <T>(work: (transaction: Database) => Promise<T>) =>
    database.transaction().execute(work);
  return {
    stopLane: async (lane, stop) => {
      // Many answers can report a problem of the lane simultaneously. Those that arrive late return
      // here without waiting for its lock.
      if (await lanes.wasStoppedJustNow(database, lane, stop)) return false;
      return inTransaction(async (transaction) => {
        await slowLaneDown(transaction, lane, stop);
        return lanes.stopLane(transaction, lane, stop);
      });
    },
    openLanes: (names, by) =>
      inTransaction(async (transaction) => {
        await startLanesSlowly(transaction, names);
        return by
          ? lanes.openLanesBy(transaction, names, by, now())
          : lanes.openLanes(transaction, names);
      }),
    stoppedLanes: () => lanes.findStoppedLanes(database),
    recordProbeResult: (lane, isAnswered) =>
      inTransaction(async (transaction) => {
        // This comes before the change of the lane's own row, because claims lock in this order.
        await startLanesSlowly(transaction, [lane]);
        return lanes.recordProbeResult(transaction, lane, isAnswered);
      }),
    recordSendResult: (lane, mark) => marks.add(lane, mark),
    recordUnknownAnswer: (lane, answer) => health.recordUnknownAnswer(database, lane, answer),
    inDoubtTotal: (lane) => findInDoubtTotal(database, lane),
    recordProcessingTime: (lane, tookMs) => longest.record(lane, tookMs),
    longestProcessingMs: (lane) => findLongestProcessingTime(database, lane),
    recordFinalState: (lane) => endings.record(lane),
    countWithoutFinalState: (asked) => health.countWithoutFinalState(database, asked),
    setCanary: (order) =>
      inTransaction((transaction) => canaries.setCanary(transaction, { ...order, at: now() })),
    canaries: (batchId) => canaries.findCanaries(database, batchId),
    releaseCanaries: (order) =>
      inTransaction((transaction) =>
        canaries.releaseCanaries(transaction, { ...order, at: now() }),
      ),
    failCanary: (order) =>
      inTransaction((transaction) => canaries.failCanary(transaction, { ...order, at: now() })),
  };
}
