import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import * as epochs from "#ledger/epoch.ts";
import type { Freeze, Seen, Verified } from "#ledger/epoch.ts";
import type { RestoreMemory } from "#ledger/restore-memory.ts";
import { type AttemptKey, NO_STORE, type Witness, type WitnessStore } from "#ledger/witness.ts";

/** What is known of a ledger outside of it. */
export interface Outside {
  readonly witness?: WitnessStore;
  /** The batches that this machine has handled. */
  readonly memory?: RestoreMemory;
  /** LEDGER_EPOCH; without it every epoch is right. */
  readonly epoch?: number | undefined;
}

/**
 * Keeps this process from sending out of a ledger that is frozen, or that is not the database which it has verified
 * (docs/restore.md). Everything that claims asks for the gate and puts it into its statement.
 */
export class Guard {
  readonly #database: Database;
  readonly #store: WitnessStore;
  readonly #wantedEpoch: number | undefined;
  #witness: Witness | null = null;
  #verified: Omit<Verified, "attempt"> | null = null;
  #looked = false;
  #looking: Promise<Freeze | null> | null = null;

  constructor(database: Database, { witness = NO_STORE, epoch }: Outside) {
    this.#database = database;
    this.#store = witness;
    this.#wantedEpoch = epoch;
  }

  /** Looks whether this is the database that was written last, and freezes the ledger when it is not. */
  verify(): Promise<Freeze | null> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** The condition of a claim; false as long as nothing may be sent. */
  async gate(): Promise<RawBuilder<boolean>> {
    if (!this.#looked) await this.verify();
    const attempt = this.#witness?.attempt ?? null;
    return this.#verified ? epochs.maySend({ ...this.#verified, attempt }) : sql<boolean>`false`;
  }

  /** Attempts that are on record from here on. */
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
    const why = epochs.whyFrozen(seen, this.#witness, this.#wantedEpoch ?? 0);
    if (why) {
      await this.#freeze(seen, why);
      seen = await epochs.lookAtEpoch(this.#database, null);
      this.#witness = null;
    }
    await this.#keep(seen);
    return this.#judge(seen);
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
    // A folder that cannot be written to makes a restore harder to notice, and is no reason to stop. The store has told.
    if (isNews) await this.#store.write(witness).catch(() => {});
  }

  #judge({ epoch, frozenAt, reason, server }: Seen): Freeze | null {
    this.#looked = true;
    this.#verified = null;
    if (frozenAt) return { epoch, reason: reason ?? "", since: frozenAt };
    if (this.#wantedEpoch !== undefined && this.#wantedEpoch < epoch) {
      return {
        epoch,
        reason: `LEDGER_EPOCH is ${this.#wantedEpoch}, and the ledger is at epoch ${epoch}`,
        since: null,
      };
    }
    this.#verified = { server, epoch };
    return null;
  }
}
