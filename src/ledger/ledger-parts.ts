import type { Clock } from "#base/clock.ts";
import * as epochs from "#ledger/integrity/freeze.ts";
import { BatchMemory, MemoryNotWritten } from "#ledger/integrity/restore/batch-memory.ts";
import { RestoreGuard, type ExternalRecords } from "#ledger/integrity/restore-guard.ts";
import { NO_MEMORY } from "#ledger/integrity/restore-memory.ts";
import type { Database } from "#ledger/store/database.ts";
import { retryWhileUnavailable } from "#ledger/store/database-errors.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Maximum time in milliseconds that an outcome waits while the database restarts. After that, the
 * lease expires and the attempt becomes in doubt.
 */
const PATIENCE_MS = 30_000;

export interface LedgerOptions extends ExternalRecords {
  /** Number of payouts of each lane that are sent first, if the uploader sets none. */
  readonly canary?: number;
  /** The same database for claims and outcomes, which wait for no other work: see openPrepared. */
  readonly sending?: Database;
  /** Connections for due work, status queries, and claims that wait for their turn. */
  readonly asking?: Database;
}

/** The connections of one open ledger, and the state that its folders share. */
export class LedgerParts {
  readonly database: Database;
  readonly sending: Database;
  readonly asking: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly canary: number;
  readonly restoreGuard: RestoreGuard;
  readonly batchMemory: BatchMemory;

  /** @param database writes to the audit log: see withAuditSeal. */
  constructor(
    database: Database,
    sealer: Sealer,
    clock: Clock,
    { canary = 0, sending = database, asking = database, ...outside }: LedgerOptions,
  ) {
    this.database = database;
    this.sending = sending;
    this.asking = asking;
    this.sealer = sealer;
    this.clock = clock;
    this.canary = canary;
    this.batchMemory = new BatchMemory(database, sealer, outside.restoreMemory ?? NO_MEMORY);
    this.restoreGuard = new RestoreGuard(database, outside, () => this.batchMemory.whyOlderCopy());
  }

  /** Returns the current time of the ledger's clock. */
  readonly now = (): Date => new Date(this.clock.nowMs());

  /** Runs work in one transaction. */
  readonly inTransaction = <T>(work: (transaction: Database) => Promise<T>): Promise<T> =>
    this.database.transaction().execute(work);

  /**
   * Runs work in one transaction if the ledger may send, or else returns null. A ledger that may
   * have lost attempts must not record a payout as unsent and cancelled.
   *
   * @throws NotReplicated if a standby may lack the commit.
   */
  readonly inTrust = async <T>(work: (transaction: Database) => Promise<T>): Promise<T | null> => {
    const condition = await this.restoreGuard.claimCondition();
    const run = () =>
      this.inTransaction(async (transaction) =>
        (await epochs.doesHold(transaction, condition)) ? work(transaction) : null,
      );
    return this.restoreGuard.commit(run, (done) => done !== null);
  };

  /** Retries work while the database is unavailable: see retryWhileUnavailable. */
  readonly retryWhileUnavailable = <T>(work: () => Promise<T>): Promise<T> =>
    retryWhileUnavailable(PATIENCE_MS, (delayMs) => this.clock.sleep(delayMs), work);

  /**
   * Checks the ledger (see Guard.verify), and reports batches that it has lost.
   */
  readonly verify = async (): Promise<epochs.Freeze | null> => {
    const freeze = await this.restoreGuard.verify();
    // If the memory cannot be written, an approval reports the error.
    await this.batchMemory.start().catch(() => {});
    if (freeze?.since) await this.batchMemory.reportLost().catch(() => {});
    return freeze;
  };
}

/**
 * Ignores a failure to write the restore memory. The batch is written again before it is approved,
 * or another machine writes it.
 */
export function ignoreUnwritten(error: unknown): void {
  if (!(error instanceof MemoryNotWritten)) throw error;
}
