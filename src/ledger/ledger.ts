import type { Claim, OpenAttempt, Reclaim } from "#ledger/attempts.ts";
import type { Batch, BatchMove } from "#ledger/batches.ts";
import type { BrakeLedger } from "#ledger/brakes.ts";
import type { CallbackRecord } from "#ledger/callbacks.ts";
import type { Canary } from "#ledger/canaries.ts";
import type { Freeze, FreezeOrder } from "#ledger/epoch.ts";
import type { NewBatch } from "#ledger/ingest.ts";
import type { LimitOrder, PacedLane } from "#ledger/lane-pace.ts";
import type { LanePause, PauseOrder } from "#ledger/lane-pauses.ts";
import type { StoppedLane } from "#ledger/lanes.ts";
import type { Move } from "#ledger/moves.ts";
import type { PriorityOrder } from "#ledger/priority.ts";
import type { Progress } from "#ledger/progress.ts";
import type { Question } from "#ledger/questions.ts";
import type { Declined, Page } from "#ledger/remainders.ts";
import type { RowWriter } from "#ledger/row-writer.ts";
import type { Sendings } from "#ledger/sendings.ts";
import type { LaneAsked, UnfreezeOrder } from "#ledger/unasked.ts";
import type { WorkingBatch } from "#ledger/working-batches.ts";
import type { QuarantineCause } from "#batch/quarantine.ts";
import type { BatchState } from "#batch/lifecycle.ts";

export type {
  Batch,
  Canary,
  CallbackRecord,
  Claim,
  Freeze,
  LaneAsked,
  LanePause,
  Move,
  OpenAttempt,
  PacedLane,
  Progress,
  Question,
  StoppedLane,
  WorkingBatch,
};

/**
 * What the flows may ask of the ledger. Every method is one commit; each that changes a state is a compare-and-set
 * that says whether it did. It is an interface so that a simulation can put a ledger of its own in its place.
 */
export interface Ledger extends Sendings, BrakeLedger {
  /**
   * Stores a batch in one transaction: `fill` writes rows and returns how the file was read; an error out of it
   * leaves no trace.
   * Returns the id of the batch that has this file: the new one, or the one that was there first.
   * What pays again what was declined is refused with NotPayableAgain, unless all of it may be paid again.
   */
  createBatch(
    batch: NewBatch,
    fill: (writer: RowWriter) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<{ id: string; isNew: boolean }>;
  findBatch(by: { readonly id: string } | { readonly digest: string }): Promise<Batch | null>;
  /** What the sweep looks through: batches that are being sent or followed, by priority, the oldest approval first. */
  workingBatches(): Promise<WorkingBatch[]>;
  /** Payouts of a batch that were declined and that nothing pays again, after this id. */
  declinedRows(page: Page): Promise<Declined[]>;
  /** The batches that pay declined payouts of this one again, the first one first. */
  remaindersOf(batchId: string): Promise<string[]>;
  /** Holds what has not been sent and pays again what is not conclusively declined any more. Returns how many. */
  holdOvertaken(batchId: string): Promise<number>;
  /**
   * Returns how many payouts moved with the batch; null: its state did not allow the event, or `verify` a cancel.
   *
   * @throws LimitsRefused out of an approval that would pass a limit.
   * @throws RepeatsRefused out of an approval that would repeat another batch.
   */
  moveBatch(move: Omit<BatchMove, "at">): Promise<number | null>;
  /**
   * Keeps the batch in the memory outside the ledger, before it is approved, and puts it in quarantine where it repeats a
   * batch that a restored ledger has forgotten.
   *
   * @throws MemoryNotWritten
   */
  remember(batchId: string): Promise<void>;
  /** Why the batch is or was in quarantine; empty: it never was. */
  quarantineOf(batchId: string): Promise<readonly QuarantineCause[]>;
  /** Since when this machine keeps that memory; null: it keeps none. */
  memorySince(): Promise<Date | null>;
  /** False: there is no such batch, or it has ended. */
  setPriority(order: Omit<PriorityOrder, "at">): Promise<boolean>;
  /**
   * Cancels what has not been sent, and pauses the batch: what was sent is followed to its end. Returns how many payouts
   * it cancelled; null: the batch is not under way, or `verify` does not allow it.
   */
  cancelRest(cancel: Omit<BatchMove, "at" | "event" | "facts">): Promise<number | null>;
  /** After cancelRest: cancels what has come back unsent since. Returns how many. */
  cancelDeferred(batchId: string): Promise<number>;
  /** Ends the batch when every payout has ended. Returns its state then; null: it goes on. */
  finishBatch(batchId: string): Promise<BatchState | null>;
  /** How many payouts of the batch are in which state, and what they come to, per lane. */
  progressOf(batchId: string): Promise<Progress[]>;
  /**
   * How many payouts of the batch and lane are to be sent and asked about now, each counted up to `sizeMax`; `open`:
   * there are such at all, due or not.
   */
  dueWork(
    batchId: string,
    lane: string,
    sizeMax: number,
  ): Promise<{ toSend: number; toAsk: number; open: boolean }>;

  /**
   * Looks whether this is the database that was written last, and freezes the ledger when it is not. Null: this process
   * may send. Claims yield nothing before the first look, nor from a server that started after the last one.
   */
  verify(): Promise<Freeze | null>;
  /** Freezes by hand and returns the epoch that begins with it; null: it is frozen already. */
  freeze(order: FreezeOrder): Promise<number | null>;
  /**
   * Lets it send again. False, and nothing is decided: it is not frozen in this epoch, payouts are open that were not asked
   * for since, or nobody has decided about a batch in quarantine or seen a batch that the ledger has forgotten.
   */
  unfreeze(order: Omit<UnfreezeOrder, "at">): Promise<boolean>;
  /** Of a frozen ledger: what is open, and what of it was not asked for since it froze. */
  askedPerLane(): Promise<LaneAsked[]>;
  /** Of a frozen ledger: payouts that it knows of no attempt for and has not asked for yet, after this id. */
  takeUnasked(take: {
    readonly after: number;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;

  /**
   * Claims up to `sizeMax` due payouts, with an attempt on record for each: they may be sent once this has resolved, and
   * not before. None: nothing is due, or something keeps it from being sent (a pause, a stop, a time, a freeze). Claims of
   * one batch and lane that are asked for at the same time share a commit.
   */
  openAttempts(claim: Claim): Promise<readonly OpenAttempt[]>;
  /** When to claim again what the pace of its lane holds back, in milliseconds; null: it holds nothing of it back. */
  nextTurn(batchId: string, lane: string): Promise<number | null>;
  /** Claims one payout in doubt, to send its code again. Null: it has moved on since, or may not be sent now. */
  reopenAttempt(
    claim: Reclaim,
    payout: { readonly payoutId: number; readonly seq: number },
  ): Promise<OpenAttempt | null>;
  /** Makes one move; moves that are asked for at the same time share a commit. One out of an end moves the batch, too. */
  move(move: Move): Promise<boolean>;

  /** Takes payouts about which the gateway is to be asked now; for `leaseMs` nobody else is given the same. */
  takeQuestions(take: {
    readonly batchId: string;
    readonly lane: string;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;
  /** Takes payouts that have ended, of any batch, whose code may have been taken twice and is to be looked at again now. */
  takeChecks(take: { readonly sizeMax: number; readonly leaseMs: number }): Promise<Question[]>;
  /** When to look at it again; null: no more. */
  noteCheck(payoutId: number, inMs: number | null): Promise<void>;
  /** The same about one payout, whatever its state; it is not taken. Null: the code is none of ours. */
  questionAbout(transactionCode: string): Promise<Question | null>;
  /** Puts in doubt what workers have claimed and not come back with. Returns how many payouts. */
  expireLeases(batchId: string): Promise<number>;
  /** Keeps what a callback said, once. It moves nothing. */
  recordCallback(callback: CallbackRecord): Promise<void>;
  /** Makes the next question about the payout due now. */
  askNow(payoutId: number): Promise<void>;

  /**
   * Keeps everything of the lane, or of every lane, from being sent until it is resumed or its time is over, with `drain`
   * all but the batches that have begun; openLanes does not end it. False: there was never a payout in such a lane.
   */
  pauseLane(order: Omit<PauseOrder, "at">): Promise<boolean>;
  /** False: no such pause holds. */
  resumeLane(order: Omit<PauseOrder, "at" | "until" | "drain">): Promise<boolean>;
  /** The pauses that hold now, the one of every lane first. */
  lanePauses(): Promise<LanePause[]>;

  /** Bounds what all processes together send of the lane. False: there was never a payout in such a lane. */
  limitLane(order: Omit<LimitOrder, "at">): Promise<boolean>;
  pacedLanes(): Promise<PacedLane[]>;

  /** Runs `work` unless another process is at it; null when one is. */
  alone<T>(lock: string, work: () => Promise<T>): Promise<T | null>;
}
