import type { OpenAttempt } from "#ledger/payout/attempts.ts";
import type { Claim, Reclaim } from "#ledger/payout/claim-statement.ts";
import type { Batch, BatchMove } from "#ledger/payout/batches.ts";
import type { BrakeLedger } from "#ledger/payout/circuit-breakers.ts";
import type { CallbackRecord } from "#ledger/payout/callbacks.ts";
import type { Canary } from "#ledger/payout/canaries.ts";
import type { Freeze, FreezeOrder } from "#ledger/integrity/freeze.ts";
import type { NewBatch } from "#ledger/intake/ingest.ts";
import type { LimitOrder, PacedLane } from "#ledger/payout/lane/rate-limit.ts";
import type { LanePause, PauseOrder } from "#ledger/payout/lane/lane-pauses.ts";
import type { StoppedLane } from "#ledger/payout/lane/lanes.ts";
import type { Move } from "#ledger/payout/transitions.ts";
import type { PriorityOrder } from "#ledger/payout/lane/priority.ts";
import type { Progress } from "#ledger/payout/progress.ts";
import type { Question } from "#ledger/payout/status-queries.ts";
import type { Declined, Page } from "#ledger/payout/retry-batches.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import type { Sendings } from "#ledger/schedule/send-times.ts";
import type { LaneAsked, UnfreezeOrder } from "#ledger/integrity/restore/unqueried.ts";
import type { WorkingBatch } from "#ledger/payout/working-batches.ts";
import type { QuarantineCause } from "#intake/batch/quarantine.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";

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
 * Ledger operations available to the flows. Every method is one commit. Each method that changes a
 * state is a compare-and-set and returns whether it changed anything. It is an interface so that a
 * simulation can replace the ledger.
 */
export interface Ledger extends Sendings, BrakeLedger {
  /**
   * Stores a batch in one transaction: `fill` writes rows and returns how the file was read. An
   * error from it leaves no trace. Returns the id of the batch with this file: the new one, or the
   * existing one. A retry batch throws NotPayableAgain unless all of its payouts may be paid again.
   */
  createBatch(
    batch: NewBatch,
    fill: (writer: RowWriter) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<{ id: string; isNew: boolean }>;
  findBatch(by: { readonly id: string } | { readonly digest: string }): Promise<Batch | null>;
  /**
   * Returns the batches that the sweep processes: those being sent or followed, by priority, then
   * oldest approval first.
   */
  workingBatches(): Promise<WorkingBatch[]>;
  /** Returns declined payouts of a batch that no other payout pays again, after this id. */
  declinedRows(page: Page): Promise<Declined[]>;
  /** Returns the retry batches of this batch, oldest first. */
  remaindersOf(batchId: string): Promise<string[]>;
  /**
   * Puts unsent payouts on hold that pay again a payout which is no longer conclusively declined.
   * Returns their number.
   */
  holdOvertaken(batchId: string): Promise<number>;
  /**
   * Returns the number of payouts that moved with the batch, or null if its state did not allow the
   * event, or `verify` did not allow a cancel.
   *
   * @throws LimitsRefused from an approval that would exceed a limit.
   * @throws RepeatsRefused from an approval of exact duplicates of another batch.
   */
  moveBatch(move: Omit<BatchMove, "at">): Promise<number | null>;
  /**
   * Stores the batch in the restore memory before it is approved, and puts it in quarantine if it
   * repeats a batch that a restored ledger has lost.
   *
   * @throws MemoryNotWritten
   */
  remember(batchId: string): Promise<void>;
  /** Returns why the batch is or was in quarantine; empty if it never was. */
  quarantineOf(batchId: string): Promise<readonly QuarantineCause[]>;
  /**
   * Returns the time since which this machine keeps the restore memory, or null if it keeps none.
   */
  memorySince(): Promise<Date | null>;
  /** Returns false if there is no such batch or it has finished. */
  setPriority(order: Omit<PriorityOrder, "at">): Promise<boolean>;
  /**
   * Cancels unsent payouts and pauses the batch. Sent payouts are followed to their final state.
   * Returns the number of cancelled payouts, or null if the batch is not being sent or `verify`
   * does not allow it.
   */
  cancelRest(cancel: Omit<BatchMove, "at" | "event" | "facts">): Promise<number | null>;
  /** After cancelRest: cancels payouts that came back unsent since. Returns their number. */
  cancelDeferred(batchId: string): Promise<number>;
  /**
   * Finishes the batch when every payout is in a final state. Returns its new state, or null if it
   * continues.
   */
  finishBatch(batchId: string): Promise<BatchState | null>;
  /** Returns the number and sum of the batch's payouts by state and lane. */
  progressOf(batchId: string): Promise<Progress[]>;
  /**
   * Counts payouts of the batch and lane that are to be sent or queried now, each up to `sizeMax`.
   * `open`: whether there are such payouts at all, due or not.
   */
  dueWork(
    batchId: string,
    lane: string,
    sizeMax: number,
  ): Promise<{ toSend: number; toAsk: number; open: boolean }>;

  /**
   * Checks that this is the database that was written last, and freezes the ledger if it is not.
   * Null: this process may send. Claims return nothing before the first check, or from a server
   * that started after the last check.
   */
  verify(): Promise<Freeze | null>;
  /** Freezes the ledger manually and returns the new epoch, or null if it is already frozen. */
  freeze(order: FreezeOrder): Promise<number | null>;
  /**
   * Lets the ledger send again. Returns false, without any decision, if it is not frozen in this
   * epoch, if payouts in progress were not queried since, or if a batch in quarantine is undecided
   * or a lost batch is not acknowledged.
   */
  unfreeze(order: Omit<UnfreezeOrder, "at">): Promise<boolean>;
  /**
   * For a frozen ledger: payouts in progress, and those of them that were not queried since the
   * freeze.
   */
  askedPerLane(): Promise<LaneAsked[]>;
  /**
   * For a frozen ledger: payouts after this id without a known attempt and without a query so far.
   */
  takeUnasked(take: {
    readonly after: number;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;

  /**
   * Claims up to `sizeMax` due payouts, with a recorded attempt for each. They may be sent once
   * this has resolved, and not before. Returns an empty array if no payout is due or sending is
   * prevented (by a pause, a stop, a send time, a freeze). Simultaneous claims of one batch and
   * lane share a commit.
   */
  openAttempts(claim: Claim): Promise<readonly OpenAttempt[]>;
  /**
   * Returns the time in milliseconds until the next claim of payouts that the pace of the lane
   * delays. Null: it delays none.
   */
  nextTurn(batchId: string, lane: string): Promise<number | null>;
  /**
   * Claims one payout in doubt, to send it again under its code. Returns null if it has moved on or
   * may not be sent now.
   */
  reopenAttempt(
    claim: Reclaim,
    payout: { readonly payoutId: number; readonly seq: number },
  ): Promise<OpenAttempt | null>;
  /**
   * Makes one move. Simultaneous moves share a commit. A move out of a final state also moves the
   * batch.
   */
  move(move: Move): Promise<boolean>;

  /**
   * Takes payouts whose status is to be queried now. Other workers do not get them for `leaseMs`.
   */
  takeQuestions(take: {
    readonly batchId: string;
    readonly lane: string;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;
  /**
   * Takes payouts in a final state, of any batch, whose code may have been accepted twice and which
   * are due for another check.
   */
  takeChecks(take: { readonly sizeMax: number; readonly leaseMs: number }): Promise<Question[]>;
  /** Sets the time of the next check. Null: no further check. */
  noteCheck(payoutId: number, inMs: number | null): Promise<void>;
  /**
   * Returns the same facts about one payout in any state, without taking it. Null: the code is not
   * one of payrun's.
   */
  questionAbout(transactionCode: string): Promise<Question | null>;
  /** Puts payouts in doubt whose worker has not returned within the lease. Returns their number. */
  expireLeases(batchId: string): Promise<number>;
  /** Stores the content of a callback, once. It changes no state. */
  recordCallback(callback: CallbackRecord): Promise<void>;
  /** Makes the next status query of the payout due now. */
  askNow(payoutId: number): Promise<void>;

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
  pacedLanes(): Promise<PacedLane[]>;

  /** Runs `work` unless another process runs it; then returns null. */
  alone<T>(lock: string, work: () => Promise<T>): Promise<T | null>;
}
