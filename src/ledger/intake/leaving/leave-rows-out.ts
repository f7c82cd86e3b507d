import { createHash } from "node:crypto";
import { sql } from "kysely";
import {
  BATCH_LIFECYCLE,
  type BatchEvent,
  type BatchState,
  isBeforeRequest,
} from "#intake/batch/batch-lifecycle.ts";
import { recordPeopleNeeded } from "#ledger/approval/policy/approval-policy.ts";
import { recordEditor } from "#ledger/intake/batch-description.ts";
import { FindingWriter } from "#ledger/intake/finding-writer.ts";
import { insertLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { laneTotals } from "#ledger/intake/lane-totals.ts";
import { takeWarnedRows } from "#ledger/intake/warned-rows.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { sendFromCommandLine } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { openRejected } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

export type LeavingOut =
  | { readonly kind: "left_out"; readonly rows: number }
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: BatchState }
  /** The batch has changed since its rows were read. */
  | { readonly kind: "content_changed" }
  /** No row would remain. */
  | { readonly kind: "no_row_left" };

/** Rows that cannot be left out: they are neither rejected nor valid with warnings. Rolls back. */
export class RowsStay extends Error {
  readonly lines: readonly number[];

  constructor(lines: readonly number[]) {
    super("rows stay in their batch");
    this.lines = lines;
  }
}

/**
 * Takes rejected rows, and valid rows with warnings, out of a batch before it is sent for approval.
 * The payout of a valid row is removed, and its transaction code with it. The rows are kept as they
 * were, the content digest changes, and the batch leaves approval.
 *
 * @throws RowsStay
 */
export async function leaveRowsOut(
  transaction: Database,
  sealer: Sealer,
  order: {
    readonly batchId: string;
    readonly lines: readonly number[];
    /** Content digest of the batch as the person saw it. Null: not stated. */
    readonly contentDigest: string | null;
    readonly actor: string;
    readonly at: Date;
  },
): Promise<LeavingOut> {
  const { batchId, contentDigest, actor, at } = order;
  const lines = [...new Set(order.lines)].toSorted((one, other) => one - other);
  const batch = await transaction
    .selectFrom("batches")
    .select(["state", "maker", "content_digest", "rows", "rejected"])
    .where("id", "=", batchId)
    .forUpdate()
    .executeTakeFirst();
  if (!batch) return { kind: "not_found" };
  if (!isBeforeRequest(batch.state)) return { kind: "wrong_state", state: batch.state };
  if (contentDigest !== null && contentDigest !== batch.content_digest)
    return { kind: "content_changed" };
  if (lines.length >= batch.rows) return { kind: "no_row_left" };
  const { rejected, valid } = await takeRows(transaction, sealer, batchId, lines);
  const taken = new Map([...rejected, ...valid]);
  const stay = lines.filter((line) => !taken.has(line));
  if (stay.length > 0) throw new RowsStay(stay);
  await insertLeftOutRows(transaction, sealer, order, taken);
  await forgetFindings(transaction, batchId, lines);
  const content = createHash("sha256")
    .update(batch.content_digest)
    .update(JSON.stringify({ left_out: lines }))
    .digest("hex");
  const stillRejected = batch.rejected - rejected.size;
  const event: BatchEvent = stillRejected === 0 ? "correct" : "correct_partly";
  await transaction
    .updateTable("batches")
    .set({
      state: BATCH_LIFECYCLE[event].to,
      rows: batch.rows - lines.length,
      rejected: stillRejected,
      content_digest: content,
      approval_requested_at: null,
      approval_requested_by: null,
      ...(event === "correct" && { reason: null }),
    })
    .where("id", "=", batchId)
    .execute();
  if (event === "correct") await sendFromCommandLine(transaction, batchId, batch.maker);
  await recordEditor(transaction, { batchId, actor, at });
  const people = await recordPeopleNeeded(transaction, batchId);
  await appendAudit(transaction, at, {
    actor,
    action: "leave_out_rows",
    object: batchId,
    facts: {
      lines,
      valid: valid.size,
      content_digest: content,
      still_rejected: stillRejected,
      totals: await laneTotals(transaction, batchId),
      people,
    },
  });
  return { kind: "left_out", rows: lines.length };
}

async function forgetFindings(
  transaction: Database,
  batchId: string,
  lines: readonly number[],
): Promise<void> {
  const findings = new FindingWriter(transaction, batchId);
  await findings.begin();
  await findings.forget(lines);
  await findings.end();
}

/** Removes rows from where they are stored, except those of single payouts, which have a key. */
async function takeRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
) {
  const { rows: single } = await sql<{ line: number }>`
    select line from single_payouts
    where batch_id = ${batchId} and line = any(${[...lines]}::int[])`.execute(transaction);
  const free = lines.filter((line) => !single.some((each) => each.line === line));
  const { rows } = await sql<{ line: number; sealed: Buffer }>`
    delete from rejected_rows where batch_id = ${batchId} and line = any(${free}::int[])
    returning line, sealed`.execute(transaction);
  const rejected = new Map(
    rows.map(({ line, sealed }) => [line, openRejected(sealer, batchId, line, sealed)] as const),
  );
  const { before: valid } = await takeWarnedRows(transaction, sealer, batchId, free);
  return { rejected, valid };
}
