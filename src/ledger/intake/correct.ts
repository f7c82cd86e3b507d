import { sql } from "kysely";
import {
  BATCH_LIFECYCLE,
  type BatchEvent,
  type BatchState,
  isBeforeRequest,
} from "#intake/batch/batch-lifecycle.ts";
import { recordPeopleNeeded } from "#ledger/approval/policy/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { quarantineIfFrozen } from "#ledger/intake/quarantine.ts";
import { RowStore } from "#ledger/intake/row-store.ts";
import { addToLanes, laneTotals } from "#ledger/intake/lane-totals.ts";
import type { StoredRows } from "#ledger/intake/row-writer.ts";
import { sendFromCommandLine } from "#ledger/payout/batches.ts";
import { recordEditor } from "#ledger/intake/batch-description.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

export interface Correction {
  readonly batchId: string;
  /** Hex SHA-256 of the file's bytes. */
  readonly digest: string;
  readonly fileName: string;
  readonly actor: string;
  /** The content digest of the batch whose rows were edited. Null: the file holds whole rows. */
  readonly edited: string | null;
  /** True if the rows were left out, and are put back. */
  readonly putsBack: boolean;
}

export type Corrected =
  | { readonly kind: "corrected"; readonly rows: number; readonly corrected: number }
  /** This file has already corrected this batch. */
  | { readonly kind: "known" }
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: BatchState }
  /** The batch has changed since its rows were read for editing. */
  | { readonly kind: "content_changed" }
  /** The file is another batch, or has corrected another one. */
  | { readonly kind: "other_batch"; readonly batchId: string };

/** Thrown when the file has corrected a batch, so it is not a batch of its own. */
export class KnownFile extends Error {}

/** Locks a file, so that it cannot become a batch and a correction simultaneously. */
export async function lockFile(transaction: Database, digest: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`payrun file ${digest}`}))`.execute(
    transaction,
  );
}

/**
 * Returns the batch to which a file of corrected rows with this digest belongs. Null: unknown file.
 */
export async function findCorrectedBatch(
  database: Database,
  digest: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("corrections")
    .select("batch_id")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.batch_id ?? null;
}

/**
 * Puts corrected rows into a batch in one transaction. `fill` takes rows back and writes them
 * again. An error from it leaves the batch unchanged. The totals and the content digest
 * change, and approvers are asked again when the batch is sent for approval again.
 */
export async function correctBatch(
  transaction: Database,
  sealer: Sealer,
  correction: Correction & { readonly at: Date },
  fill: (store: RowStore) => Promise<void>,
): Promise<Corrected> {
  const { batchId, digest, actor, at, edited, putsBack } = correction;
  await sql`set local lock_timeout = 0`.execute(transaction);
  await lockFile(transaction, digest);
  const batch = await transaction
    .selectFrom("batches")
    .select(["state", "maker", "digest", "content_digest", "rows", "rejected"])
    .select(["first_id", "last_id", "approval_requested_at"])
    .where("id", "=", batchId)
    .forUpdate()
    .executeTakeFirst();
  if (!batch) return { kind: "not_found" };
  const elsewhere = await batchOfFile(transaction, digest);
  if (elsewhere === batchId) return { kind: "known" };
  if (elsewhere !== null) return { kind: "other_batch", batchId: elsewhere };
  // A batch from the command line awaits approval from its upload.
  const mayPutBack =
    !putsBack || isBeforeRequest(batch.state) || batch.approval_requested_at === null;
  if (!BATCH_LIFECYCLE.correct.from.includes(batch.state) || !mayPutBack) {
    return { kind: "wrong_state", state: batch.state };
  }
  if (edited !== null && edited !== batch.content_digest) return { kind: "content_changed" };

  // Uses the digest of the batch instead of the digest of this file: if the rows are corrected
  // again after a restore, they get the same codes as before.
  const ledgerId = await ledgerIdOf(transaction);
  const source = { id: batchId, ledgerId, digest: batch.digest };
  const store = new RowStore(transaction, sealer, source, batch.content_digest);
  await store.begin();
  await store.fillWith(fill);
  const written = await store.end();
  const added = written.takenBack.length + written.putBack;
  const stillRejected = batch.rejected + added - correctedRows(written);
  await addToLanes(transaction, batchId, written.lanes);
  await updateBatch(transaction, batchId, { batch, written, stillRejected });
  await insertCorrection(transaction, correction, written);
  await recordEditor(transaction, { batchId, actor, at });
  const people = await recordPeopleNeeded(transaction, batchId);
  await quarantineIfFrozen(transaction, batchId);
  await appendAudit(transaction, at, {
    actor,
    action: putsBack ? "put_back_rows" : "correct",
    object: batchId,
    facts: {
      file: correction.fileName,
      digest,
      content_digest: written.contentDigest,
      rows: written.rows,
      corrected: correctedRows(written),
      still_rejected: stillRejected,
      ...(written.takenBack.length > 0 && { edited_lines: written.takenBack }),
      totals: await laneTotals(transaction, batchId),
      people,
    },
  });
  return { kind: "corrected", rows: written.rows, corrected: correctedRows(written) };
}

const correctedRows = ({ rows, rejected }: StoredRows): number => rows - rejected;

/** Extends the batch by the new payouts, and withdraws its request for approval. */
async function updateBatch(
  transaction: Database,
  batchId: string,
  {
    batch,
    written,
    stillRejected,
  }: {
    readonly batch: {
      readonly maker: string;
      readonly rows: number;
      readonly first_id: number;
      readonly last_id: number;
    };
    readonly written: StoredRows;
    readonly stillRejected: number;
  },
): Promise<void> {
  const event: BatchEvent = stillRejected === 0 ? "correct" : "correct_partly";
  await transaction
    .updateTable("batches")
    .set({
      state: BATCH_LIFECYCLE[event].to,
      rows: batch.rows + written.putBack,
      rejected: stillRejected,
      content_digest: written.contentDigest,
      first_id: batch.first_id || written.firstId,
      last_id: written.lastId || batch.last_id,
      approval_requested_at: null,
      approval_requested_by: null,
      // The reason why the batch was sent back no longer applies.
      ...(event === "correct" && { reason: null }),
    })
    .where("id", "=", batchId)
    .execute();
  if (event === "correct") await sendFromCommandLine(transaction, batchId, batch.maker);
}

async function insertCorrection(
  transaction: Database,
  { batchId, digest, fileName, actor, at }: Correction & { readonly at: Date },
  written: StoredRows,
): Promise<void> {
  await transaction
    .insertInto("corrections")
    .values({
      digest,
      batch_id: batchId,
      file_name: fileName,
      actor,
      rows: written.rows,
      corrected: correctedRows(written),
      first_id: written.firstId,
      last_id: written.lastId,
      at,
    })
    .execute();
}

async function batchOfFile(transaction: Database, digest: string): Promise<string | null> {
  const batch = await transaction
    .selectFrom("batches")
    .select("id")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return batch?.id ?? findCorrectedBatch(transaction, digest);
}

/** Returns the corrections of a batch, oldest first, as the API shows them. */
export async function findCorrections(database: Database, batchId: string) {
  const rows = await database
    .selectFrom("corrections")
    .select(["file_name", "digest", "actor", "at", "rows", "corrected"])
    .where("batch_id", "=", batchId)
    .orderBy("at")
    .execute();
  const nameOf = await findActorNames(
    database,
    rows.map(({ actor }) => actor),
  );
  return rows.map(({ file_name, digest, actor, at, rows: read, corrected }) => ({
    file: file_name,
    digest,
    by: { actor, name: nameOf(actor) },
    at: at.toISOString(),
    rows: read,
    corrected,
  }));
}
