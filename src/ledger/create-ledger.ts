import { setImmediate } from "node:timers/promises";
import { alone } from "#ledger/store/advisory-locks.ts";
import { approveAlone } from "#ledger/approval/approvals.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { BatchMemory, MemoryNotWritten } from "#ledger/integrity/restore/batch-memory.ts";
import * as batches from "#ledger/payout/batches.ts";
import * as attempts from "#ledger/payout/attempts.ts";
import { brakesOver } from "#ledger/payout/circuit-breakers.ts";
import { recordCallback } from "#ledger/payout/callbacks.ts";
import { KnownFile } from "#ledger/intake/correct.ts";
import { type Database, isUniqueViolation, withPatience } from "#ledger/store/database.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";
import { finishBatch, moveEnded } from "#ledger/payout/finish.ts";
import * as epochs from "#ledger/integrity/freeze.ts";
import { GroupCommit } from "#ledger/store/group-commit.ts";
import { Guard, type Outside } from "#ledger/integrity/restore-guard.ts";
import { BatchWriter } from "#ledger/intake/ingest.ts";
import * as paces from "#ledger/payout/lane/rate-limit.ts";
import * as pauses from "#ledger/payout/lane/lane-pauses.ts";
import { makeMoves, type Move } from "#ledger/payout/transitions.ts";
import { setPriority } from "#ledger/payout/lane/priority.ts";
import { dueWork, progressOf } from "#ledger/payout/progress.ts";
import * as questions from "#ledger/payout/status-queries.ts";
import * as remainders from "#ledger/payout/retry-batches.ts";
import { NO_MEMORY } from "#ledger/integrity/restore-memory.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { sendingsIn } from "#ledger/schedule/send-times.ts";
import { quarantineOf } from "#ledger/intake/quarantine.ts";
import type { Ledger } from "#ledger/ledger.ts";
import * as unasked from "#ledger/integrity/restore/unqueried.ts";
import { workingBatches } from "#ledger/payout/working-batches.ts";
import type { Clock } from "#base/clock.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";

/**
 * Maximum time in milliseconds that an outcome waits while the database restarts. After that, the
 * lease expires and the attempt becomes in doubt.
 */
const PATIENCE_MS = 30_000;

interface LedgerOptions extends Outside {
  /** Number of payouts of each lane that are sent first, if the uploader sets none. */
  readonly canary?: number;
  /** The same database for claims and outcomes, which wait for no other work: see openPrepared. */
  readonly sending?: Database;
  /** Connections for due work, status queries, and claims that wait for their turn. */
  readonly asking?: Database;
}

/** Creates the ledger in PostgreSQL. */
export function createLedger(
  given: Database,
  sealer: Sealer,
  clock: Clock,
  { canary = 0, sending = given, asking = given, ...outside }: LedgerOptions = {},
): Ledger {
  const database = withAuditSeal(given, sealer);
  const memory = new BatchMemory(database, sealer, outside.memory ?? NO_MEMORY);
  const guard = new Guard(database, outside, () => memory.whyForgetful());
  const patiently = <T>(work: () => Promise<T>) =>
    withPatience(PATIENCE_MS, (delayMs) => clock.sleep(delayMs), work);
  const moves = new GroupCommit<Move, boolean>(
    (group) => patiently(() => makeMoves(sending, group)),
    { gather: setImmediate },
  );
  const turns = new paces.Turns(asking, sending);
  const claims = new GroupedClaims(
    async (claim) => {
      await memory.rememberOnce(claim.batchId).catch(asLater);
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
  /**
   * Runs `work` if the ledger may send, or else returns null. A ledger that may have lost attempts
   * must not record a payout as unsent and cancelled.
   */
  const inTrust = async <T>(work: (transaction: Database) => Promise<T>) => {
    const gate = await guard.gate();
    return inTransaction(async (transaction) =>
      (await epochs.isOpen(transaction, gate)) ? work(transaction) : null,
    );
  };

  /**
   * Ignores a failure to write the restore memory. The batch is written again before it is
   * approved, or another machine writes it.
   */
  const asLater = (error: unknown) => {
    if (!(error instanceof MemoryNotWritten)) throw error;
  };

  const verify = async () => {
    const freeze = await guard.verify();
    // If the memory cannot be written, an approval reports the error.
    await memory.begin().catch(() => {});
    if (freeze?.since) await memory.reportLost().catch(() => {});
    return freeze;
  };

  return {
    async createBatch(batch, fill) {
      const gate = batch.remainder ? await guard.gate() : null;
      // A restored copy that nobody has verified yet must not treat a known file as new.
      await verify();
      const ledgerId = await epochs.ledgerIdOf(database);
      try {
        await database.transaction().execute(async (transaction) => {
          if (gate) await remainders.refuseUnlessOpen(transaction, gate);
          const writer = new BatchWriter(transaction, sealer, { canary, ...batch }, ledgerId);
          await writer.begin();
          await writer.end(await writer.rows.filledBy(fill), now());
        });
        await memory.remember(batch.id).catch(asLater);
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
    async moveBatch(move) {
      if (move.event === "approve") await memory.remember(move.id);
      return (move.event === "cancel" ? inTrust : inTransaction)((transaction) =>
        (move.event === "approve" ? approveAlone : batches.moveBatch)(transaction, {
          ...move,
          at: now(),
        }),
      );
    },
    remember: (batchId) => memory.remember(batchId),
    memorySince: () => memory.since(),
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

    verify,
    freeze: (order) => inTransaction((transaction) => epochs.freeze(transaction, order)),
    async unfreeze(order) {
      await memory.reportLost();
      try {
        await inTransaction((transaction) =>
          unasked.unfreeze(transaction, { ...order, at: now() }),
        );
        return true;
      } catch (error) {
        if (error instanceof unasked.StillFrozen) return false;
        throw error;
      }
    },
    quarantineOf: (batchId) => quarantineOf(database, batchId),
    askedPerLane: () => unasked.askedPerLane(database),
    takeUnasked: (take) => unasked.takeUnasked(database, take),

    openAttempts: (claim) => claims.add(claim),
    nextTurn: (batchId, lane) => paces.nextTurn(database, batchId, lane),
    async reopenAttempt(claim, payout) {
      await memory.rememberOnce(claim.batchId).catch(asLater);
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
    takeChecks: (take) => questions.takeChecks(asking, take),
    noteCheck: (payoutId, inMs) => questions.noteCheck(asking, payoutId, inMs),
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
