import { digestedInterpretation, type FileInterpretation } from "#intake/file-interpretation.ts";
import type { BatchSource } from "#intake/batch/batch-lifecycle.ts";
import type { Priority } from "#payout/priority.ts";
import { recordPeopleNeeded } from "#ledger/approval/policy/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { findCorrectedBatch, KnownFile, lockFile } from "#ledger/intake/correct.ts";
import { addToLanes } from "#ledger/intake/lane-totals.ts";
import {
  endOccurrenceWithBatch,
  OccurrenceEnded,
  type BatchOccurrence,
} from "#ledger/intake/occurrence-batch.ts";
import { quarantineIfFrozen } from "#ledger/intake/quarantine.ts";
import { sendFromCommandLine } from "#ledger/payout/batches.ts";
import { linkRetryBatch, type RetrySource } from "#ledger/payout/retry-batches.ts";
import { RowStore } from "#ledger/intake/row-store.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { lockUnchanged } from "#ledger/schedule/occurrences.ts";
import { setSendTime } from "#ledger/schedule/send-times.ts";
import type { BatchDescription } from "#ledger/intake/batch-description.ts";
import type { SendTime } from "#schedule/release.ts";

export interface NewBatch {
  readonly id: string;
  readonly digest: string;
  readonly fileName: string;
  /** Default: a file. */
  readonly source?: BatchSource;
  readonly actor: string;
  /** True if the rows come from a list whose line numbers may change when it is generated again. */
  readonly linesMove?: boolean;
  /**
   * Description stored with the file in one commit: either typed totals are compared, or the file
   * is not stored.
   */
  readonly described?: BatchDescription;
  /**
   * Send time, stored in the same commit, so that nobody can approve the batch to be sent
   * immediately.
   */
  readonly send?: SendTime;
  /** The occurrence of a schedule for which the batch is created. */
  readonly occurrence?: BatchOccurrence;
  /** Set if the batch pays declined payouts of another batch again. */
  readonly retryOf?: RetrySource;
  /**
   * Number of payouts of each lane that are sent first. Default: the setting of the installation.
   */
  readonly canary?: number;
  /** Send order among batches. Default: normal. */
  readonly priority?: Priority;
  /** The choices by which the file is read. The content digest covers them. */
  readonly reading?: FileInterpretation;
}

/** The audit log names the changed columns, but no cell values. */
const retryFacts = ({ batchId, unchangedReason, edited }: RetrySource) => ({
  remainder_of: batchId,
  ...(unchangedReason !== null && { unchanged_reason: unchangedReason }),
  ...(edited.size > 0 && { edited: Object.fromEntries(edited) }),
});

/** Writes one batch. It becomes visible when the surrounding transaction commits. */
export class BatchWriter {
  readonly rows: RowStore;
  readonly #transaction: Database;
  readonly #batch: NewBatch;

  constructor(transaction: Database, sealer: Sealer, batch: NewBatch, ledgerId: string) {
    const { reading } = batch;
    const digestedFirst = reading ? digestedInterpretation(reading) : "";
    this.rows = new RowStore(transaction, sealer, { ...batch, ledgerId, digestedFirst });
    this.#transaction = transaction;
    this.#batch = batch;
  }

  /** @throws KnownFile, or a unique violation on batches_digest_key if the file exists already. */
  async begin(): Promise<void> {
    const { id, digest, fileName, source, actor, described, canary, priority, send } = this.#batch;
    await this.rows.begin();
    await lockFile(this.#transaction, digest);
    if (await findCorrectedBatch(this.#transaction, digest)) throw new KnownFile();
    await this.#transaction
      .insertInto("batches")
      .values({
        id,
        maker: actor,
        digest,
        content_digest: "",
        file_name: fileName,
        state: "needs_correction",
        rows: 0,
        rejected: 0,
        facts: "{}",
        canary: canary ?? null,
        ...(source && { source }),
        ...(priority && { priority }),
        first_id: 0,
        last_id: 0,
        ...(described && { ...described, expected: JSON.stringify(described.expected) }),
      })
      .execute();
    if (send) await setSendTime(this.#transaction, { batchId: id, send, actor });
  }

  /**
   * Completes the batch: it is a draft if every row is good, otherwise it waits for corrections.
   *
   * @param facts how the file was read, stored with the batch.
   */
  async end(facts: Readonly<Record<string, unknown>>, at: Date): Promise<void> {
    const { id, actor, digest, fileName, retryOf, occurrence, priority, reading } = this.#batch;
    if (occurrence && !(await lockUnchanged(this.#transaction, occurrence)))
      throw new OccurrenceEnded();
    const { rows, rejected, firstId, lastId, lanes, contentDigest } = await this.rows.end();
    await addToLanes(this.#transaction, id, lanes);
    const isValid = rejected === 0;
    await this.#transaction
      .updateTable("batches")
      .set({
        state: isValid ? "draft" : "needs_correction",
        content_digest: contentDigest,
        facts: JSON.stringify(facts),
        rows,
        rejected,
        first_id: firstId,
        last_id: lastId,
      })
      .where("id", "=", id)
      .execute();
    const state = isValid
      ? await sendFromCommandLine(this.#transaction, id, actor)
      : "needs_correction";
    if (retryOf) await linkRetryBatch(this.#transaction, { id, firstId, lastId }, retryOf);
    const people = await recordPeopleNeeded(this.#transaction, id);
    await quarantineIfFrozen(this.#transaction, id);
    await appendAudit(this.#transaction, at, {
      actor,
      action: "ingest",
      object: id,
      facts: {
        file: fileName,
        digest,
        content_digest: contentDigest,
        rows,
        rejected,
        totals: Object.fromEntries(lanes.map(({ lane, total }) => [lane, total.minor.toString()])),
        state,
        people,
        ...(priority && { priority }),
        ...(reading && { amounts: reading.amounts, columns: reading.columns }),
        ...(reading?.currency && { currency: reading.currency }),
        ...(retryOf && retryFacts(retryOf)),
      },
    });
    if (occurrence)
      await endOccurrenceWithBatch(this.#transaction, occurrence, { id, actor, rejected }, at);
  }
}
