import type { Clock } from "#base/clock.ts";
import type { Freeze } from "#ledger/ledger.ts";
import { retryWhileUnavailable } from "#ledger/store/database-errors.ts";
import * as epochs from "./epoch.ts";
import { emptyTables, type Tables } from "./tables.ts";

/**
 * The ledger's content in memory. It receives the time, and changes only inside a call of one of
 * its clients.
 */
export class MemoryLedger {
  readonly tables: Tables = emptyTables();
  readonly nowMs: () => number;
  readonly locks = new Map<string, object>();
  /** A different number is a different server with another history of the ledger. */
  server = 1;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }
}

/** One process and its connection to the ledger. */
export interface LedgerClient {
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  /** Holds the locks that it takes; equal objects are one process. */
  readonly holder: object;
  /** Carries a statement to the ledger and its result back. Faults strike here. */
  call<T>(statement: string, effect: () => T): Promise<T>;
}

const PATIENCE_MS = 30_000;

/** The connection of one process, which knows whether this process may send. */
export class Connection {
  readonly tables: Tables;
  readonly nowMs: () => number;
  readonly clock: LedgerClient["clock"];
  readonly #memory: MemoryLedger;
  readonly #client: LedgerClient;
  #verified: epochs.Verified | null = null;
  #isChecked = false;

  constructor(memory: MemoryLedger, client: LedgerClient) {
    this.tables = memory.tables;
    this.nowMs = memory.nowMs;
    this.clock = client.clock;
    this.#memory = memory;
    this.#client = client;
  }

  /** Returns the time by the clock of the process, which may be wrong. */
  at(): Date {
    return new Date(this.clock.nowMs());
  }

  /** Runs one statement. */
  readonly call = <T>(statement: string, effect: () => T): Promise<T> =>
    this.#client.call(statement, effect);

  /** Runs one statement, which is retried while the ledger cannot be reached. */
  readonly patiently = <T>(statement: string, effect: () => T): Promise<T> =>
    retryWhileUnavailable(
      PATIENCE_MS,
      (delayMs) => this.clock.sleep(delayMs),
      () => this.call(statement, effect),
    );

  /** Checks whether this process may send. */
  readonly verify = async (): Promise<Freeze | null> => {
    const { tables } = this;
    const { freeze, server, epoch } = await this.call("verify", () => {
      const found = epochs.verify(tables, this.#memory.server, this.nowMs());
      return { freeze: found, server: this.#memory.server, epoch: tables.epoch.number };
    });
    this.#isChecked = true;
    this.#verified = freeze ? null : { server, epoch };
    return freeze;
  };

  /** Checks it only if this process has not checked it before. */
  async verifyOnce(): Promise<void> {
    if (!this.#isChecked) await this.verify();
  }

  /** Returns whether this process may send, as part of a statement. */
  maySend(): boolean {
    return epochs.maySend(this.tables, this.#memory.server, this.#verified);
  }

  /** Applies the effect if this process may send, as part of the same statement. */
  readonly guarded = async <T>(statement: string, closed: T, effect: () => T): Promise<T> => {
    await this.verifyOnce();
    return this.call(statement, () => (this.maySend() ? effect() : closed));
  };
}
