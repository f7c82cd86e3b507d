import * as canaries from "#ledger/canaries.ts";
import type { Canary } from "#ledger/canaries.ts";
import type { Database } from "#ledger/database.ts";
import * as health from "#ledger/lane-health.ts";
import { slowLane, startSlowly } from "#ledger/lane-pace.ts";
import * as lanes from "#ledger/lanes.ts";
import type { StoppedLane } from "#ledger/lanes.ts";
import { longestTimesIn, slowestOf } from "#ledger/processing.ts";
import { doubtIn } from "#ledger/progress.ts";
import type { Doubt } from "#payout/brakes.ts";
import type { LaneStop } from "#payout/outcome.ts";
import type { Mark } from "#payout/health.ts";

/** The part of the ledger that brakes rest on: what holds stands in its claims and its lanes. */
export interface BrakeLedger {
  /** The lane begins with a few when it opens. False: it was stopped a moment ago already. */
  stopLane(lane: string, stop: LaneStop): Promise<boolean>;
  /** `by`: the person who says that it may; without one it is an answer of the gateway that shows it. */
  openLanes(lanes: readonly string[], by?: lanes.OpenedBy): Promise<string[]>;
  stoppedLanes(): Promise<StoppedLane[]>;
  /** True: the lane has opened. */
  endTrial(lane: string, isAnswered: boolean): Promise<boolean>;
  /** What a send came to. The last marks of the lane; null: they were not looked at, or it is stopped. */
  noteMark(lane: string, mark: Mark): Promise<string | null>;
  /** An answer that payrun does not know: how often by now; null: a person has looked at it. */
  noteUnread(lane: string, answer: string): Promise<number | null>;
  /** Over all batches that are being sent. */
  doubtIn(lane: string): Promise<Doubt>;
  /** An accepted payout of the lane has settled or was declined. */
  noteEnding(lane: string): Promise<void>;
  /** The gateway took so long for a payout request of the lane: it decides how long others may still be in progress. */
  noteProcessing(lane: string, tookMs: number): Promise<void>;
  /** The longest processing time of the lane in the last day, in milliseconds; 0 without one. */
  slowestIn(lane: string): Promise<number>;
  /** Accepted payouts of the lane that were sent so long ago; none where one has ended since, or a person opened it. */
  unendedIn(asked: health.Unended): Promise<number>;

  /** How many payouts of each lane go first, before the rest may follow. False: the batch is approved already. */
  setCanary(order: {
    readonly batchId: string;
    readonly payouts: number;
    readonly actor: string;
  }): Promise<boolean>;
  /** Null: those that batches under way wait for; of one batch also those that were released. */
  canaries(batchId: string | null): Promise<Canary[]>;
  /** Returns the lanes that waited. Without a reason only those whose canary has settled are released. */
  releaseCanaries(order: {
    readonly batchId: string;
    /** Null: all of the batch. */
    readonly lane: string | null;
    readonly reason: string | null;
    readonly actor: string;
  }): Promise<string[]>;
  /** Pauses the batch for a person. False: it is not being sent. */
  failCanary(order: {
    readonly batchId: string;
    readonly lane: string;
    readonly reason: string;
    readonly actor: string;
  }): Promise<boolean>;
}

export function brakesOver(database: Database, now: () => Date): BrakeLedger {
  const marks = new health.MarkBuffer((lane, added) => health.addMarks(database, lane, added));
  const endings = new health.Endings(
    () => now().getTime(),
    (lane) => health.keepEnding(database, lane),
  );
  const longest = longestTimesIn(database, () => now().getTime());
  const inTransaction = <T>(work: (transaction: Database) => Promise<T>) =>
    database.transaction().execute(work);
  return {
    stopLane: async (lane, stop) => {
      // Many answers blame the lane at once: those that come too late need not wait for its lock to hear that.
      if (await lanes.wasStoppedJustNow(database, lane, stop)) return false;
      return inTransaction(async (transaction) => {
        await slowLane(transaction, lane, stop);
        return lanes.stopLane(transaction, lane, stop);
      });
    },
    openLanes: (names, by) =>
      inTransaction(async (transaction) => {
        await startSlowly(transaction, names);
        return by
          ? lanes.openLanesBy(transaction, names, by, now())
          : lanes.openLanes(transaction, names);
      }),
    stoppedLanes: () => lanes.stoppedLanes(database),
    endTrial: (lane, isAnswered) =>
      inTransaction(async (transaction) => {
        // Before the lane's own row is changed: claims lock in this order.
        await startSlowly(transaction, [lane]);
        return lanes.endTrial(transaction, lane, isAnswered);
      }),
    noteMark: (lane, mark) => marks.add(lane, mark),
    noteUnread: (lane, answer) => health.noteUnread(database, lane, answer),
    doubtIn: (lane) => doubtIn(database, lane),
    noteProcessing: (lane, tookMs) => longest.note(lane, tookMs),
    slowestIn: (lane) => slowestOf(database, lane),
    noteEnding: (lane) => endings.note(lane),
    unendedIn: (asked) => health.unendedIn(database, asked),
    setCanary: (order) =>
      inTransaction((transaction) => canaries.setCanary(transaction, { ...order, at: now() })),
    canaries: (batchId) => canaries.canariesOf(database, batchId),
    releaseCanaries: (order) =>
      inTransaction((transaction) =>
        canaries.releaseCanaries(transaction, { ...order, at: now() }),
      ),
    failCanary: (order) =>
      inTransaction((transaction) => canaries.failCanary(transaction, { ...order, at: now() })),
  };
}
