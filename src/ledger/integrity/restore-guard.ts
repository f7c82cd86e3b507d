import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { followPromotion } from "#ledger/integrity/follow-promotion.ts";
import * as epochs from "#ledger/integrity/freeze.ts";
import type { Freeze, EpochInspection, VerifiedEpoch } from "#ledger/integrity/freeze.ts";
import type { RestoreMemory } from "#ledger/integrity/restore-memory.ts";
import {
  mustWait,
  NotReplicated,
  recordReplication,
  replicationIs,
  toRecord,
  TRUSTED_MS,
} from "#ledger/integrity/replication.ts";
import {
  type AttemptKey,
  NO_MARKER_STORE,
  type RestoreMarker,
  type RestoreMarkerStore,
} from "#ledger/integrity/restore-marker.ts";
import { finishesWithin } from "#base/clock.ts";
import { unreplicatedCommits } from "#postgres/client.ts";

/** Milliseconds that a check waits for a new record. */
const RECORD_MS = 1_000;

/** Facts about a ledger that are stored outside its database. */
export interface ExternalRecords {
  readonly restoreMarker?: RestoreMarkerStore;
  /** The batches that this machine has handled. */
  readonly restoreMemory?: RestoreMemory;
  /** LEDGER_EPOCH. Undefined: every epoch is accepted. */
  readonly epoch?: number | undefined;
}

/**
 * Prevents this process from sending from a ledger that is frozen or is not the database that it
 * verified (docs/operate/restore.md). Every claim gets the gate and includes it in its statement.
 */
export class RestoreGuard {
  readonly #database: Database;
  readonly #markerStore: RestoreMarkerStore;
  readonly #wantedEpoch: number | undefined;
  #marker: RestoreMarker | null = null;
  #verified: Omit<VerifiedEpoch, "attempt"> | null = null;
  readonly #whyOlderCopy: () => Promise<string | null>;
  /**
   * The server whose ledger was compared with the restore memory. A restore starts the server again
   * or creates new tables.
   */
  #comparedServer: string | null = null;
  #checkedAtMs = false;
  #checking: Promise<Freeze | null> | null = null;
  #recording: Promise<void> | null = null;

  /**
   * @param whyOlderCopy returns what the ledger has lost of the batches that this machine
   * remembers, or null if it has all of them.
   */
  constructor(
    database: Database,
    { restoreMarker = NO_MARKER_STORE, epoch }: ExternalRecords,
    whyForgetful: () => Promise<string | null> = async () => null,
  ) {
    this.#database = database;
    this.#whyOlderCopy = whyForgetful;
    this.#markerStore = restoreMarker;
    this.#wantedEpoch = epoch;
  }

  /**
   * Checks that this is the database that was written last, and freezes the ledger if it is not.
   */
  verify(): Promise<Freeze | null> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Returns the condition of a claim, which is false while nothing may be sent. */
  async claimCondition(): Promise<RawBuilder<boolean>> {
    if (!this.#checkedAtMs) await this.verify();
    const attempt = this.#marker?.attempt ?? null;
    return this.#verified ? epochs.maySend({ ...this.#verified, attempt }) : sql<boolean>`false`;
  }

  /**
   * Runs a claim with its condition: see commit.
   *
   * @throws NotReplicated
   */
  async claim<T>(
    claim: (condition: RawBuilder<boolean>) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const condition = await this.claimCondition();
    return this.commit(
      () => claim(condition),
      (claimed) => claimed.length > 0,
    );
  }

  /**
   * Runs work that commits under the condition of a claim. If claims wait for standbys, checks
   * afterwards that this commit did: an administrator can turn the waiting off, or cancel it, while
   * a commit waits.
   *
   * @param hasWritten returns whether the work has changed anything.
   * @throws NotReplicated if it may not have waited.
   */
  async commit<T>(work: () => Promise<T>, hasWritten: (done: T) => boolean): Promise<T> {
    const replication = this.#verified?.replication ?? null;
    const before = unreplicatedCommits();
    const done = await work();
    if (replication === null || !hasWritten(done)) return done;
    const isSame = await epochs.doesHold(this.#database, replicationIs(replication));
    if (!isSame || unreplicatedCommits() !== before) throw new NotReplicated();
    return done;
  }

  /** Remembers the latest attempt that was recorded. */
  rememberAttempt(
    attempts: readonly { readonly payoutId: number; readonly number: number }[],
  ): void {
    const last = attempts.at(-1);
    if (last && this.#marker) {
      const attempt: AttemptKey = { payoutId: last.payoutId, number: last.number };
      this.#marker = { ...this.#marker, attempt };
    }
  }

  async #check(): Promise<Freeze | null> {
    this.#marker ??= await this.#markerStore.read(await epochs.ledgerIdOf(this.#database));
    let seen = await epochs.inspectEpoch(this.#database, this.#marker);
    const why =
      epochs.whyFrozen(seen, this.#marker, this.#wantedEpoch ?? 0) ??
      (await this.#compareWithMemory(seen));
    if (why) {
      this.#verified = null;
      await this.#freeze(seen, why);
      seen = await epochs.inspectEpoch(this.#database, null);
      // Each statement may have used a connection to another server.
      if (seen.frozenAt === null || !epochs.isInPlace(seen))
        throw new Error("the database server changed while payrun froze the ledger");
      this.#marker = null;
    } else if (seen.recordedPlace.timeline !== seen.currentPlace.timeline) {
      this.#verified = null;
      await this.#inTransaction((transaction) => followPromotion(transaction, seen));
      seen = await epochs.inspectEpoch(this.#database, this.#marker);
      if (!epochs.isInPlace(seen))
        throw new Error("the database server changed while payrun followed a promotion");
    }
    if (seen.frozenAt === null && mustWait(seen.replication)) return this.#wait(seen);
    // A frozen ledger has no record, because it refuses claims.
    const replication = seen.frozenAt ? null : toRecord(seen.replication.now);
    const freeze = this.#freezeOf(seen, replication);
    if (seen.frozenAt === null) await this.#record(seen);
    await this.#updateMarker(seen, replication === null ? seen.wal : null);
    return freeze;
  }

  /**
   * Records or confirms the replication, one at a time. While a standby is away, this commit
   * waits, so a check does not wait for this commit. Until it is done, the condition of a claim is
   * false.
   */
  async #record(seen: EpochInspection): Promise<void> {
    if (this.#recording) return;
    const isNew = seen.replication.recorded !== toRecord(seen.replication.now);
    const verified = this.#verified;
    const record = async () => {
      const wal = await recordReplication(this.#database, seen.replication);
      const isCurrent = JSON.stringify(this.#verified) === JSON.stringify(verified);
      if (wal !== null && isCurrent) await this.#updateMarker(seen, wal);
    };
    const recording = record();
    this.#recording = recording
      .catch(() => {})
      .finally(() => {
        this.#recording = null;
      });
    if (isNew) await finishesWithin(RECORD_MS, recording);
  }

  #wait({ epoch, replication }: EpochInspection): Freeze {
    this.#checkedAtMs = true;
    this.#verified = null;
    const minutes = TRUSTED_MS / 60_000;
    const reason = `synchronous_standby_names changed from ${replication.recorded} to ${replication.now || "none"}: payrun sends again ${minutes} minutes after the last commit that waited for the removed standby`;
    return { epoch, cause: "removed_standby", reason, since: null };
  }

  /**
   * Compares the ledger with the restore memory. A frozen ledger is compared when a person
   * unfreezes it. A memory that cannot be read now is read at the next check.
   */
  async #compareWithMemory({ server, frozenAt }: EpochInspection): Promise<string | null> {
    if (frozenAt || server === this.#comparedServer) return null;
    try {
      const why = await this.#whyOlderCopy();
      if (why === null) this.#comparedServer = server;
      return why;
    } catch {
      return null;
    }
  }

  async #freeze({ epoch }: EpochInspection, reason: string): Promise<void> {
    const order = { reason, actor: "payrun" };
    const from = { epoch, wantedEpoch: this.#wantedEpoch ?? 0 };
    await this.#inTransaction((transaction) => epochs.freeze(transaction, order, from));
  }

  #inTransaction<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
    return this.#database.transaction().execute(work);
  }

  /**
   * @param wal a position that the ledger must keep. With synchronous replication, the position on
   * the primary's disk may be ahead of the standby's. Null: the earlier one.
   */
  async #updateMarker({ ledgerId, epoch }: EpochInspection, wal: string | null): Promise<void> {
    const earlier = this.#marker?.epoch === epoch ? this.#marker : null;
    const attempt = earlier?.attempt ?? null;
    const witness = { ledgerId, epoch, wal: wal ?? earlier?.wal ?? "0/0", attempt };
    const isNews = JSON.stringify(witness) !== JSON.stringify(this.#marker);
    this.#marker = witness;
    // An unwritable folder makes a restore harder to detect, but is no reason to stop. The store
    // has reported the error.
    if (isNews) await this.#markerStore.write(witness).catch(() => {});
  }

  #freezeOf(
    { epoch, frozenAt, reason, server }: EpochInspection,
    replication: string | null,
  ): Freeze | null {
    this.#checkedAtMs = true;
    this.#verified = null;
    if (frozenAt) return { epoch, cause: "frozen", reason: reason ?? "", since: frozenAt };
    if (this.#wantedEpoch !== undefined && this.#wantedEpoch < epoch) {
      return {
        epoch,
        cause: "other_epoch",
        reason: `LEDGER_EPOCH is ${this.#wantedEpoch}, but the ledger is at epoch ${epoch}`,
        since: null,
      };
    }
    this.#verified = { server, epoch, replication };
    return null;
  }
}
