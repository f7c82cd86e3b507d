import type { Clock } from "#base/clock.ts";
import * as epochs from "#ledger/integrity/freeze.ts";
import { BatchMemory, MemoryNotWritten } from "#ledger/integrity/restore/batch-memory.ts";
import { Guard, type Outside } from "#ledger/integrity/restore-guard.ts";
import { NO_MEMORY } from "#ledger/integrity/restore-memory.ts";
import { type Database, withPatience } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Maximum time in milliseconds that an outcome waits while the database restarts. After that, the
 * lease expires and the attempt becomes in doubt.
 */
const PATIENCE_MS = 30_000;

export interface LedgerOptions extends Outside {
  /** Number of payouts of each lane that are sent first, if the uploader sets none. */
  readonly canary?: number;
  /** The same database for claims and outcomes, which wait for no other work: see openPrepared. */
  readonly sending?: Database;
  /** Connections for due work, status queries, and claims that wait for their turn. */
  readonly asking?: Database;
}

/** The connections of one open ledger, and the state that its rooms share. */
export class LedgerParts {
  readonly database: Database;
  readonly sending: Database;
  readonly asking: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly canary: number;
  readonly guard: Guard;
  readonly memory: BatchMemory;

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
    this.memory = new BatchMemory(database, sealer, outside.memory ?? NO_MEMORY);
    this.guard = new Guard(database, outside, () => this.memory.whyForgetful());
  }

  /** Returns the current time of the ledger's clock. */
  readonly now = (): Date => new Date(this.clock.nowMs());

  /** Runs work in one transaction. */
  readonly inTransaction = <T>(work: (transaction: Database) => Promise<T>): Promise<T> =>
    this.database.transaction().execute(work);

  /**
   * Runs work in one transaction if the ledger may send, or else returns null. A ledger that may
   * have lost attempts must not record a payout as unsent and cancelled.
   */
  readonly inTrust = async <T>(work: (transaction: Database) => Promise<T>): Promise<T | null> => {
    const gate = await this.guard.gate();
    return this.inTransaction(async (transaction) =>
      (await epochs.isOpen(transaction, gate)) ? work(transaction) : null,
    );
  };

  /** Retries work while the database is unavailable: see withPatience. */
  readonly patiently = <T>(work: () => Promise<T>): Promise<T> =>
    withPatience(PATIENCE_MS, (delayMs) => this.clock.sleep(delayMs), work);

  /**
   * Checks the ledger (see Guard.verify), and reports batches that it has lost.
   */
  readonly verify = async (): Promise<epochs.Freeze | null> => {
    const freeze = await this.guard.verify();
    // If the memory cannot be written, an approval reports the error.
    await this.memory.begin().catch(() => {});
    if (freeze?.since) await this.memory.reportLost().catch(() => {});
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
