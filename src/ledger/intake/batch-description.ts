import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { ControlTotals } from "#intake/batch/control-totals.ts";
import { numbersComparedFact, type StoredAsNumber } from "#intake/workbook/numeric-accounts.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { storedAsNumbers } from "#ledger/intake/batch-findings.ts";
import { moveBatch } from "#ledger/payout/batches.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";

/**
 * The uploader's description of a batch: its purpose, and its totals according to their own system.
 */
export interface BatchDescription {
  readonly name: string | null;
  readonly purpose: string | null;
  readonly expected: ControlTotals;
}

const NOTHING_EXPECTED: ControlTotals = { rows: null, sums: {} };

/** Returns the names of batches that have one. */
export async function findBatchNames(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("batches")
    .select(["id", "name"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/**
 * Returns the name, purpose and control totals that the uploader gave. @throws when the batch does
 * not exist.
 */
export async function readDescription(
  database: Database,
  batchId: string,
): Promise<BatchDescription> {
  const batch = await database
    .selectFrom("batches")
    .select(["name", "purpose", "expected"])
    .where("id", "=", batchId)
    .executeTakeFirstOrThrow();
  const { name, purpose, expected } = batch;
  return { name, purpose, expected: (expected as ControlTotals | null) ?? NOTHING_EXPECTED };
}

/** Records the description and its author. Values that are not given again are kept. */
export async function describeBatch(
  transaction: Database,
  said: BatchDescription & { readonly batchId: string; readonly actor: string; readonly at: Date },
): Promise<void> {
  const { batchId, actor, at } = said;
  const before = await readDescription(transaction, batchId);
  const name = said.name ?? before.name;
  const purpose = said.purpose ?? before.purpose;
  const rows = said.expected.rows ?? before.expected.rows;
  const sums = { ...before.expected.sums, ...said.expected.sums };
  const now = { name, purpose, expected: { rows, sums } };
  if (isDeepStrictEqual(now, before)) return;
  await transaction
    .updateTable("batches")
    .set({ name, purpose, expected: JSON.stringify(now.expected) })
    .where("id", "=", batchId)
    .execute();
  const facts = { name, purpose, rows, sums };
  await appendAudit(transaction, at, { actor, action: "describe", object: batchId, facts });
}

/** Records that a person took part in a batch. Such a person cannot approve it. */
export async function recordEditor(
  transaction: Database,
  editor: { readonly batchId: string; readonly actor: string; readonly at: Date },
): Promise<void> {
  const { batchId, actor, at } = editor;
  await transaction
    .insertInto("batch_editors")
    .values({ batch_id: batchId, actor, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records a person who uploads an existing file again as an editor. The approved content stays. */
export async function recordReuploader(
  database: Database,
  bringer: { readonly batchId: string; readonly actor: string; readonly at: Date },
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockBatch(transaction, bringer.batchId);
    const { rows } = await sql`
      select from batches where id = ${bringer.batchId} and maker <> ${bringer.actor}
        and state in ('needs_correction', 'draft', 'awaiting_approval')`.execute(transaction);
    if (rows.length > 0) await recordEditor(transaction, bringer);
  });
}

/**
 * Locks the batch. Changes by others wait, so the content read here is the content that is sent for
 * approval or approved.
 */
export async function lockBatch(
  transaction: Database,
  batchId: string,
): Promise<{ readonly isSentForApproval: boolean } | null> {
  const batch = await transaction
    .selectFrom("batches")
    .select("approval_requested_at")
    .where("id", "=", batchId)
    .forUpdate()
    .executeTakeFirst();
  return batch ? { isSentForApproval: batch.approval_requested_at !== null } : null;
}

/**
 * Returns values that a spreadsheet stored as numbers. Empty for a batch that was sent for
 * approval, because its sender confirmed that they were compared.
 */
export async function findNumbersNotCompared(
  database: Database,
  batchId: string,
): Promise<readonly StoredAsNumber[]> {
  const handedIn = await database
    .selectFrom("batches")
    .select("id")
    .where("id", "=", batchId)
    .where("approval_requested_at", "is not", null)
    .executeTakeFirst();
  return handedIn ? [] : storedAsNumbers(database, batchId);
}

/**
 * Sends a batch for approval. Returns false if its state does not allow it or it was sent before.
 */
export async function markSentForApproval(
  transaction: Database,
  order: {
    readonly batchId: string;
    readonly leaveOut: boolean;
    /** Values that the maker confirmed to have compared with other documents. */
    readonly compared: readonly StoredAsNumber[];
    readonly actor: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const { batchId, leaveOut, compared, actor, at } = order;
  if (leaveOut) {
    await moveBatch(transaction, { id: batchId, event: "leave_out", reason: null, actor, at });
  }
  const submitted = await transaction
    .updateTable("batches")
    .set({
      state: "awaiting_approval",
      approval_requested_at: at,
      approval_requested_by: actor,
      updated_at: at,
    })
    .where("id", "=", batchId)
    .where("state", "in", ["draft", "awaiting_approval"])
    .where("approval_requested_at", "is", null)
    .returning(["content_digest", "rejected"])
    .executeTakeFirst();
  if (!submitted) return false;
  await appendAudit(transaction, at, {
    actor,
    action: "request_approval",
    object: batchId,
    facts: {
      state: "awaiting_approval",
      content_digest: submitted.content_digest,
      left_out: submitted.rejected,
      ...numbersComparedFact(compared),
    },
  });
  return true;
}
