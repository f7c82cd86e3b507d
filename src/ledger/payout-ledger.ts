import { setImmediate } from "node:timers/promises";
import { approveByOnePerson, nullIfMissed } from "#ledger/approval/approvals.ts";
import { ignoreUnwritten, type LedgerParts } from "#ledger/ledger-parts.ts";
import * as attempts from "#ledger/payout/attempts.ts";
import { actionFunctions, type ActionLedger } from "#ledger/action-ledger.ts";
import type { OpenAttempt } from "#ledger/payout/attempts.ts";
import type { Claim, Reclaim } from "#ledger/payout/claim-statement.ts";
import * as batches from "#ledger/payout/batches.ts";
import type { Batch, BatchMove } from "#ledger/payout/batches.ts";
import type { CallbackRecord } from "#ledger/payout/callbacks.ts";
import {
  type CircuitBreakerLedger,
  createCircuitBreakerLedger,
} from "#ledger/payout/circuit-breakers.ts";
import { finishBatch, moveFinished } from "#ledger/payout/finish.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";
import { type LaneLedger, laneLedger } from "#ledger/lane-ledger.ts";
import { type PriorityOrder, setPriority } from "#ledger/payout/lane/priority.ts";
import { nextTurn, LaneTurns } from "#ledger/payout/lane/rate-limit.ts";
import { dueWork, type Progress, progressOf } from "#ledger/payout/progress.ts";
import * as retries from "#ledger/payout/retry-batches.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import { makeMoves, type Move } from "#ledger/payout/transitions.ts";
import { workingBatches, type WorkingBatch } from "#ledger/payout/working-batches.ts";
import { queryFunctions } from "#ledger/query-ledger.ts";
import { bind } from "#ledger/steps/bind.ts";
import { GroupCommit } from "#ledger/store/group-commit.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";

/**
 * Functions that pay. Each is one commit. Each function that changes a state is a compare-and-set
 * and returns whether it changed anything.
 */
export interface PayoutLedger extends LaneLedger, CircuitBreakerLedger, ActionLedger {
  findBatch(by: { readonly id: string } | { readonly digest: string }): Promise<Batch | null>;
  /** Returns the batches being sent or followed, by priority, then oldest approval first. */
  workingBatches(): Promise<WorkingBatch[]>;
  /** Returns the number and sum of the batch's payouts by state and lane. */
  progressOf(batchId: string): Promise<readonly Progress[]>;
  /**
   * Counts payouts of the batch and lane that are due, each up to `sizeMax`. `open`: whether any is
   * unfinished.
   */
  dueWork(
    batchId: string,
    lane: string,
    sizeMax: number,
  ): Promise<{ toSend: number; toQuery: number; open: boolean }>;
  /**
   * Returns the number of payouts that moved with the batch, or null if its state did not allow the
   * event, or `verify` did not allow a cancel.
   *
   * @throws LimitsRefused from an approval that would exceed a limit.
   * @throws ExactDuplicatesRefused from an approval of exact duplicates of another batch.
   */
  moveBatch(move: Omit<BatchMove, "at">): Promise<number | null>;
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
  /** Returns declined payouts of a batch that no other payout pays again, after this id. */
  declinedRows(page: retries.Page): Promise<retries.Declined[]>;
  /** Returns the retry batches of this batch, oldest first. */
  retryBatchesOf(batchId: string): Promise<string[]>;
  /**
   * Puts unsent payouts on hold that pay again a payout which is no longer conclusively declined.
   * Returns their number.
   */
  holdInvalidRetries(batchId: string): Promise<number>;

  /**
   * Claims up to `sizeMax` due payouts, with a recorded attempt for each. They may be sent once
   * this has resolved, and not before. Returns an empty array if no payout is due or sending is
   * prevented (by a pause, a stop, a send time, a freeze). Simultaneous claims of one batch and
   * lane share a commit.
   *
   * @example
   * ```ts
   * const [attempt] = await ledger.payout.openAttempts({
   *   batchId,
   *   lane,
   *   sizeMax: 1,
   *   worker: "worker-1",
   *   keyId: "key-1",
   *   leaseMs: 60_000,
   *   inDoubtLimit: { count: 500, minor: null },
   * });
   * console.log(attempt?.number, attempt?.order.money.minor); // → 1 10000n
   * ```
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
   *
   * @example
   * ```ts
   * const accept = {
   *   payoutId: attempt.payoutId,
   *   seq: attempt.seq,
   *   from: "submitting",
   *   event: "accept",
   *   reason: null,
   *   dueInMs: 0,
   *   actor: "worker-1",
   *   evidence: { kind: "answer", attempt: attempt.number, facts: { http_status: 200 } },
   * } as const;
   * console.log(await ledger.payout.move(accept)); // → true
   * console.log(await ledger.payout.move(accept)); // → false
   * ```
   */
  move(move: Move): Promise<boolean>;

  /**
   * Takes payouts whose status is to be queried now. Other workers do not get them for `leaseMs`.
   *
   * @example
   * ```ts
   * const take = { batchId, lane, sizeMax: 10, leaseMs: 60_000 };
   * for (const { state, attempts } of await ledger.payout.claimStatusQueries(take)) {
   *   console.log(state, attempts); // → accepted 1
   * }
   * ```
   */
  claimStatusQueries(take: {
    readonly batchId: string;
    readonly lane: string;
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<readonly StatusQuery[]>;
  /**
   * Takes payouts in a final state, of any batch, whose code may have been accepted twice and which
   * are due for another check.
   */
  claimRepeatedCodeChecks(take: {
    readonly sizeMax: number;
    readonly leaseMs: number;
  }): Promise<StatusQuery[]>;
  /** Sets the time of the next check. Null: no further check. */
  scheduleRepeatedCodeCheck(payoutId: number, inMs: number | null): Promise<void>;
  /**
   * Returns the same facts about one payout in any state, without taking it. Null: the code is not
   * one of payrun's.
   */
  findStatusQuery(transactionCode: string): Promise<StatusQuery | null>;
  /** Puts payouts in doubt whose worker has not returned within the lease. Returns their number. */
  expireLeases(batchId: string): Promise<number>;
  /** Stores the content of a callback, once. It changes no state. */
  recordCallback(callback: CallbackRecord): Promise<void>;
  /** Makes the next status query of the payout due now. */
  makeStatusQueryDue(payoutId: number): Promise<void>;
}

/** Creates the functions that pay. */
export const payoutLedger = (parts: LedgerParts): PayoutLedger => ({
  ...batchFunctions(parts),
  ...sendFunctions(parts),
  ...queryFunctions(parts),
  ...laneLedger(parts),
  ...actionFunctions(parts),
  ...createCircuitBreakerLedger(parts.database, parts.now),
});

/** Creates the functions about whole batches. */
const batchFunctions = ({
  database,
  sealer,
  asking,
  batchMemory,
  now,
  inTransaction,
  inTrust,
}: LedgerParts) => ({
  ...bind([database], {
    findBatch: batches.findBatch,
    workingBatches,
    progressOf,
    retryBatchesOf: retries.findRetryBatches,
    holdInvalidRetries: retries.holdInvalidRetries,
  }),
  ...bind([database, sealer], { declinedRows: retries.findDeclinedRows }),
  ...bind([asking], { dueWork }),
  async moveBatch(move: Omit<BatchMove, "at">) {
    const run = move.event === "cancel" ? inTrust : inTransaction;
    if (move.event !== "approve")
      return run((transaction) => batches.moveBatch(transaction, { ...move, at: now() }));
    await batchMemory.remember(move.id);
    return nullIfMissed(
      inTransaction((transaction) => approveByOnePerson(transaction, { ...move, at: now() })),
    );
  },
  setPriority: (order: Omit<PriorityOrder, "at">) =>
    inTransaction((transaction) => setPriority(transaction, { ...order, at: now() })),
  cancelRest: (cancel: Omit<BatchMove, "at" | "event" | "facts">) =>
    inTrust((transaction) => batches.cancelRest(transaction, { ...cancel, at: now() })),
  cancelDeferred: async (batchId: string) =>
    (await inTrust((transaction) => batches.cancelDeferred(transaction, batchId))) ?? 0,
  finishBatch: (batchId: string) =>
    inTransaction((transaction) => finishBatch(transaction, batchId, now())),
});

/** Creates the functions that claim payouts and record their outcomes. */
function sendFunctions(parts: LedgerParts) {
  const {
    database,
    sealer,
    sending,
    asking,
    restoreGuard,
    batchMemory,
    now,
    inTransaction,
    retryWhileUnavailable,
  } = parts;
  const moves = new GroupCommit<Move, boolean>(
    (group) => retryWhileUnavailable(() => makeMoves(sending, group)),
    { gather: setImmediate },
  );
  const turns = new LaneTurns(asking, sending);
  const claims = new GroupedClaims(
    async (claim: Claim) => {
      await batchMemory.rememberOnce(claim.batchId).catch(ignoreUnwritten);
      const opened = await restoreGuard.claim((guarded) =>
        turns.claim(claim, claim.sizeMax, guarded, (within, sizeMax, condition) =>
          attempts.openAttempts(within, sealer, { ...claim, sizeMax }, condition),
        ),
      );
      restoreGuard.rememberAttempt(opened);
      return opened;
    },
    { gather: setImmediate },
  );
  return {
    openAttempts: (claim: Claim) => claims.add(claim),
    nextTurn: (batchId: string, lane: string) => nextTurn(database, batchId, lane),
    async reopenAttempt(
      claim: Reclaim,
      payout: { readonly payoutId: number; readonly seq: number },
    ) {
      await batchMemory.rememberOnce(claim.batchId).catch(ignoreUnwritten);
      const [opened] = await restoreGuard.claim((guarded) =>
        turns.claim(claim, 1, guarded, async (within, _one, condition) => {
          const again = await attempts.reopenAttempt(within, sealer, claim, payout, condition);
          return again ? [again] : [];
        }),
      );
      if (opened) restoreGuard.rememberAttempt([opened]);
      return opened ?? null;
    },
    move: (move: Move) =>
      move.event !== null && isFinal(move.from)
        ? retryWhileUnavailable(() =>
            inTransaction((transaction) => moveFinished(transaction, move, now())),
          )
        : moves.add(move),
  };
}
