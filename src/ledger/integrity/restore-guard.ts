import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import * as epochs from "#ledger/integrity/freeze.ts";
import type { Freeze, Seen, Verified } from "#ledger/integrity/freeze.ts";
import type { RestoreMemory } from "#ledger/integrity/restore-memory.ts";
import {
  type AttemptKey,
  NO_STORE,
  type Witness,
  type WitnessStore,
} from "#ledger/integrity/restore-marker.ts";

/** Facts about a ledger that are stored outside its database. */
export interface Outside {
  readonly witness?: WitnessStore;
  /** The batches that this machine has handled. */
  readonly memory?: RestoreMemory;
  /** LEDGER_EPOCH. Undefined: every epoch is accepted. */
  readonly epoch?: number | undefined;
}

/**
 * Prevents this process from sending from a ledger that is frozen or is not the database that it
 * verified (docs/operate/restore.md). Every claim gets the gate and includes it in its statement.
 */
export class Guard {
  readonly #database: Database;
  readonly #store: WitnessStore;
  readonly #wantedEpoch: number | undefined;
  #witness: Witness | null = null;
  #verified: Omit<Verified, "attempt"> | null = null;
  readonly #whyForgetful: () => Promise<string | null>;
  /**
   * The server whose ledger was compared with the restore memory. A restore starts the server again
   * or creates new tables.
   */
  #compared: string | null = null;
  #looked = false;
  #looking: Promise<Freeze | null> | null = null;

  /**
   * @param whyForgetful returns what the ledger has lost of the batches that this machine
   * remembers, or null if it has all of them.
   */
  constructor(
    database: Database,
    { witness = NO_STORE, epoch }: Outside,
    whyForgetful: () => Promise<string | null> = async () => null,
  ) {
    this.#database = database;
    this.#whyForgetful = whyForgetful;
    this.#store = witness;
    this.#wantedEpoch = epoch;
  }

  /**
   * Checks that this is the database that was written last, and freezes the ledger if it is not.
   */
  verify(): Promise<Freeze | null> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Returns the condition of a claim, which is false while nothing may be sent. */
  async gate(): Promise<RawBuilder<boolean>> {
    if (!this.#looked) await this.verify();
    const attempt = this.#witness?.attempt ?? null;
    return this.#verified ? epochs.maySend({ ...this.#verified, attempt }) : sql<boolean>`false`;
  }

  /** Remembers the latest attempt that was recorded. */
  saw(attempts: readonly { readonly payoutId: number; readonly number: number }[]): void {
    const last = attempts.at(-1);
    if (last && this.#witness) {
      const attempt: AttemptKey = { payoutId: last.payoutId, number: last.number };
      this.#witness = { ...this.#witness, attempt };
    }
  }

  async #look(): Promise<Freeze | null> {
    this.#witness ??= await this.#store.read(await epochs.ledgerIdOf(this.#database));
    let seen = await epochs.lookAtEpoch(this.#database, this.#witness);
    const why =
      epochs.whyFrozen(seen, this.#witness, this.#wantedEpoch ?? 0) ?? (await this.#compare(seen));
    if (why) {
      await this.#freeze(seen, why);
      seen = await epochs.lookAtEpoch(this.#database, null);
      this.#witness = null;
    }
    await this.#keep(seen);
    return this.#judge(seen);
  }

  /**
   * Compares the ledger with the restore memory. A frozen ledger is compared when a person
   * unfreezes it. A memory that cannot be read now is read at the next check.
   */
  async #compare({ server, frozenAt }: Seen): Promise<string | null> {
    if (frozenAt || server === this.#compared) return null;
    try {
      const why = await this.#whyForgetful();
      if (why === null) this.#compared = server;
      return why;
    } catch {
      return null;
    }
  }

  async #freeze({ epoch }: Seen, reason: string): Promise<void> {
    const order = { reason, actor: "payrun" };
    const from = { epoch, wantedEpoch: this.#wantedEpoch ?? 0 };
    await this.#database
      .transaction()
      .execute((transaction) => epochs.freeze(transaction, order, from));
  }

  async #keep({ ledgerId, epoch, wal }: Seen): Promise<void> {
    const attempt = this.#witness?.epoch === epoch ? this.#witness.attempt : null;
    const witness = { ledgerId, epoch, wal, attempt };
    const isNews = JSON.stringify(witness) !== JSON.stringify(this.#witness);
    this.#witness = witness;
    // An unwritable folder makes a restore harder to detect, but is no reason to stop. The store
    // has reported the error.
    if (isNews) await this.#store.write(witness).catch(() => {});
  }

  #judge({ epoch, frozenAt, reason, server }: Seen): Freeze | null {
    this.#looked = true;
    this.#verified = null;
    if (frozenAt) return { epoch, reason: reason ?? "", since: frozenAt };
    if (this.#wantedEpoch !== undefined && this.#wantedEpoch < epoch) {
      return {
        epoch,
        reason: `LEDGER_EPOCH is ${this.#wantedEpoch}, but the ledger is at epoch ${epoch}`,
        since: null,
      };
    }
    this.#verified = { server, epoch };
    return null;
  }
}
