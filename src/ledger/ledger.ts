import { setImmediate } from "node:timers/promises";
import type { Batch, BatchMove } from "#ledger/batches.ts";
import { approveAlone } from "#ledger/approvals.ts";
import * as batches from "#ledger/batches.ts";
import * as attempts from "#ledger/attempts.ts";
import type { Claim, OpenAttempt, Reclaim } from "#ledger/attempts.ts";
import { type BrakeLedger, brakesOver } from "#ledger/brakes.ts";
import type { Canary } from "#ledger/canaries.ts";
import { recordCallback, type CallbackRecord } from "#ledger/callbacks.ts";
import { KnownFile } from "#ledger/correct.ts";
import { alone, type Database, isUniqueViolation, withPatience } from "#ledger/database.ts";
import { GroupedClaims } from "#ledger/grouped-claims.ts";
import { finishBatch, moveEnded } from "#ledger/finish.ts";
import * as epochs from "#ledger/epoch.ts";
import type { Freeze, FreezeOrder } from "#ledger/epoch.ts";
import { GroupCommit } from "#ledger/group-commit.ts";
import { Guard, type Outside } from "#ledger/guard.ts";
import { BatchWriter, type NewBatch } from "#ledger/ingest.ts";
import * as paces from "#ledger/lane-pace.ts";
import type { LimitOrder, PacedLane } from "#ledger/lane-pace.ts";
import * as pauses from "#ledger/lane-pauses.ts";
import type { LanePause, PauseOrder } from "#ledger/lane-pauses.ts";
import type { StoppedLane } from "#ledger/lanes.ts";
import { makeMoves, type Move } from "#ledger/moves.ts";
import { type PriorityOrder, setPriority } from "#ledger/priority.ts";
import { dueWork, type Progress, progressOf } from "#ledger/progress.ts";
import * as questions from "#ledger/questions.ts";
import type { Question } from "#ledger/questions.ts";
import * as remainders from "#ledger/remainders.ts";
import type { RowWriter } from "#ledger/row-writer.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { type Sendings, sendingsIn } from "#ledger/sendings.ts";
import * as unasked from "#ledger/unasked.ts";
import type { LaneAsked, UnfreezeOrder } from "#ledger/unasked.ts";
import { type WorkingBatch, workingBatches } from "#ledger/working-batches.ts";
import type { BatchState } from "#batch/lifecycle.ts";
import type { Clock } from "#clock.ts";
import { isFinal } from "#payout/lifecycle.ts";

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
  workingBatches(): Promise<WorkingBatch[]>;
  /** Payouts of a batch that were declined and that nothing pays again, after this id. */
  declinedRows(page: remainders.Page): Promise<remainders.Declined[]>;
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
  /** False: there is no such batch, or it has ended. */
  setPriority(order: Omit<PriorityOrder, "at">): Promise<boolean>;
  cancelRest(cancel: Omit<BatchMove, "at" | "event" | "facts">): Promise<number | null>;
  cancelDeferred(batchId: string): Promise<number>;
  /** Ends the batch when every payout has ended. Returns its state then; null: it goes on. */
  finishBatch(batchId: string): Promise<BatchState | null>;
  progressOf(batchId: string): Promise<Progress[]>;
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
  /** False: it is not frozen in this epoch, or payouts are open that were not asked for since. */
  unfreeze(order: Omit<UnfreezeOrder, "at">): Promise<boolean>;
  /** Of a frozen ledger: what is open, and what of it was not asked for since it froze. */
  askedPerLane(): Promise<LaneAsked[]>;
  /** Of a frozen ledger: payouts that it knows of no attempt for and has not asked for yet, after this id. */
  takeUnasked(take: {
    readonly after: number;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;

  /** Claims of one batch and lane that are asked for at the same time share a commit. */
  openAttempts(claim: Claim): Promise<readonly OpenAttempt[]>;
  /** When to claim again what the pace of its lane holds back, in milliseconds; null: it holds nothing of it back. */
  nextTurn(batchId: string, lane: string): Promise<number | null>;
  reopenAttempt(
    claim: Reclaim,
    payout: { readonly payoutId: number; readonly seq: number },
  ): Promise<OpenAttempt | null>;
  /** Makes one move; moves that are asked for at the same time share a commit. One out of an end moves the batch, too. */
  move(move: Move): Promise<boolean>;

  takeQuestions(take: {
    readonly batchId: string;
    readonly lane: string;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<Question[]>;
  questionAbout(transactionCode: string): Promise<Question | null>;
  expireLeases(batchId: string): Promise<number>;
  recordCallback(callback: CallbackRecord): Promise<void>;
  askNow(payoutId: number): Promise<void>;

  /**
   * Keeps everything of the lane, or of every lane, from being sent until it is resumed or its time is over, with `drain`
   * all but the batches that have begun; openLanes does not end it. False: there was never a payout in such a lane.
   */
  pauseLane(order: Omit<PauseOrder, "at">): Promise<boolean>;
  /** False: no such pause holds. */
  resumeLane(order: Omit<PauseOrder, "at" | "until" | "drain">): Promise<boolean>;
  lanePauses(): Promise<LanePause[]>;

  /** Bounds what all processes together send of the lane. False: there was never a payout in such a lane. */
  limitLane(order: Omit<LimitOrder, "at">): Promise<boolean>;
  pacedLanes(): Promise<PacedLane[]>;

  /** Runs `work` unless another process is at it; null when one is. */
  alone<T>(lock: string, work: () => Promise<T>): Promise<T | null>;
}

/** How long an outcome waits for a database that restarts. Past it the lease takes over. */
const PATIENCE_MS = 30_000;

export interface LedgerOptions extends Outside {
  /** How many payouts of each lane go first where the file's bringer says nothing. */
  readonly canary?: number;
  /** The same database for claims and outcomes, which wait for nobody else: see openPrepared. */
  readonly sending?: Database;
  /** For what is due, for questions, and for the claims that wait for their turn. */
  readonly asking?: Database;
}

export function createLedger(
  database: Database,
  sealer: Sealer,
  clock: Clock,
  { canary = 0, sending = database, asking = database, ...outside }: LedgerOptions = {},
): Ledger {
  const guard = new Guard(database, outside);
  const patiently = <T>(work: () => Promise<T>) =>
    withPatience(PATIENCE_MS, (delayMs) => clock.sleep(delayMs), work);
  const moves = new GroupCommit<Move, boolean>(
    (group) => patiently(() => makeMoves(sending, group)),
    { gather: setImmediate },
  );
  const turns = new paces.Turns(asking, sending);
  const claims = new GroupedClaims(
    async (claim) => {
      const opened = await turns.take(
        claim,
        claim.sizeMax,
        await guard.gate(),
        (within, sizeMax, gate) =>
          attempts.openAttempts(within, sealer, { ...claim, sizeMax }, gate),
      );
      guard.saw(opened);
      return opened;
    },
    { gather: setImmediate },
  );
  const now = () => new Date(clock.nowMs());
  const inTransaction = <T>(work: (transaction: Database) => Promise<T>) =>
    database.transaction().execute(work);
  /** Nothing is called unsent and cancelled by a ledger that may have forgotten that it was sent. */
  const inTrust = async <T>(work: (transaction: Database) => Promise<T>) => {
    const gate = await guard.gate();
    return inTransaction(async (transaction) =>
      (await epochs.isOpen(transaction, gate)) ? work(transaction) : null,
    );
  };

  return {
    async createBatch(batch, fill) {
      const gate = batch.remainder ? await guard.gate() : null;
      try {
        await database.transaction().execute(async (transaction) => {
          if (gate) await remainders.refuseUnlessOpen(transaction, gate);
          const writer = new BatchWriter(transaction, sealer, { canary, ...batch });
          await writer.begin();
          await writer.end(await writer.rows.filledBy(fill), now());
        });
        return { id: batch.id, isNew: true };
      } catch (error) {
        const isKnown =
          error instanceof KnownFile || isUniqueViolation(error, "batches_digest_key");
        if (!isKnown) throw error;
        const first = await batches.findBatch(database, { digest: batch.digest });
        if (!first) throw error;
        return { id: first.id, isNew: false };
      }
    },
    findBatch: (by) => batches.findBatch(database, by),
    declinedRows: (page) => remainders.declinedRows(database, sealer, page),
    remaindersOf: (batchId) => remainders.remaindersOf(database, batchId),
    holdOvertaken: (batchId) => remainders.holdOvertaken(database, batchId),
    workingBatches: () => workingBatches(database),
    moveBatch: (move) =>
      (move.event === "cancel" ? inTrust : inTransaction)((transaction) =>
        (move.event === "approve" ? approveAlone : batches.moveBatch)(transaction, {
          ...move,
          at: now(),
        }),
      ),
    setPriority: (order) =>
      inTransaction((transaction) => setPriority(transaction, { ...order, at: now() })),
    cancelRest: (cancel) =>
      inTrust((transaction) => batches.cancelRest(transaction, { ...cancel, at: now() })),
    cancelDeferred: async (batchId) =>
      (await inTrust((transaction) => batches.cancelDeferred(transaction, batchId))) ?? 0,
    finishBatch: (batchId) =>
      inTransaction((transaction) => finishBatch(transaction, batchId, now())),
    progressOf: (batchId) => progressOf(database, batchId),
    dueWork: (batchId, lane, sizeMax) => dueWork(asking, batchId, lane, sizeMax),

    verify: () => guard.verify(),
    freeze: (order) => inTransaction((transaction) => epochs.freeze(transaction, order)),
    unfreeze: (order) =>
      inTransaction((transaction) => unasked.unfreeze(transaction, { ...order, at: now() })),
    askedPerLane: () => unasked.askedPerLane(database),
    takeUnasked: (take) => unasked.takeUnasked(database, take),

    openAttempts: (claim) => claims.add(claim),
    nextTurn: (batchId, lane) => paces.nextTurn(database, batchId, lane),
    async reopenAttempt(claim, payout) {
      const [opened] = await turns.take(
        claim,
        1,
        await guard.gate(),
        async (within, _one, gate) => {
          const again = await attempts.reopenAttempt(within, sealer, claim, payout, gate);
          return again ? [again] : [];
        },
      );
      if (opened) guard.saw([opened]);
      return opened ?? null;
    },
    move: (move) =>
      move.event !== null && isFinal(move.from)
        ? patiently(() => inTransaction((transaction) => moveEnded(transaction, move, now())))
        : moves.add(move),

    takeQuestions: (take) => questions.takeQuestions(asking, take),
    questionAbout: (transactionCode) => questions.questionAbout(asking, transactionCode),
    expireLeases: (batchId) => questions.expireLeases(database, batchId),
    recordCallback: (callback) => recordCallback(database, callback),
    askNow: (payoutId) => questions.askNow(asking, payoutId),

    ...brakesOver(database, now),

    pauseLane: (order) =>
      inTransaction((transaction) => pauses.pauseLane(transaction, { ...order, at: now() })),
    resumeLane: (order) =>
      inTransaction((transaction) => pauses.resumeLane(transaction, { ...order, at: now() })),
    lanePauses: () => pauses.lanePauses(database),

    limitLane: (order) =>
      inTransaction((transaction) => paces.limitLane(transaction, { ...order, at: now() })),
    pacedLanes: () => paces.pacedLanes(database),
    ...sendingsIn(database, now),

    alone: (lock, work) => alone(database, lock, work),
  };
}
