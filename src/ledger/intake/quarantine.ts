import { sql } from "kysely";
import type { QuarantineCause } from "#intake/batch/quarantine.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import type { RememberedBatch } from "#ledger/integrity/restore-memory.ts";
import { lockBatch } from "#ledger/intake/batch-description.ts";

/**
 * Puts a batch that is uploaded or corrected in a frozen ledger in quarantine. Called in the
 * transaction that stores its rows, so that a freeze that starts meanwhile waits.
 */
export async function quarantineIfFrozen(transaction: Database, batchId: string): Promise<void> {
  await sql`select from epoch for share`.execute(transaction);
  await sql`
    insert into quarantine (batch_id, cause, rows)
    select b.id, 'frozen', b.rows - b.rejected from batches b, epoch e
    where b.id = ${batchId} and e.frozen_at is not null
    on conflict (batch_id, cause, lost_batch) do update set rows = excluded.rows
    where quarantine.decision is distinct from 'released'`.execute(transaction);
}

/** Records in the ledger the batches that a restore memory contains and the ledger lacks. */
export async function recordLostBatches(
  transaction: Database,
  lost: readonly RememberedBatch[],
  host: string,
): Promise<void> {
  for (const { batchId, files, fileName, takenInAt, rows, totals } of lost) {
    await sql`
      insert into lost_batches (batch_id, files, file_name, uploaded_at, rows, totals, host)
      values (${batchId}, ${[...files]}::text[], ${fileName}, ${takenInAt}, ${rows}, ${JSON.stringify(totals)}, ${host})
      on conflict (batch_id) do nothing`.execute(transaction);
  }
}

/**
 * Puts a batch in quarantine if one of its files belongs to a lost batch, or if the ledger has lost
 * a correction of the batch itself.
 */
export async function quarantineLostFile(
  transaction: Database,
  batchId: string,
  files: readonly string[],
): Promise<void> {
  await sql`
    insert into quarantine (batch_id, cause, lost_batch, rows)
    select b.id, 'lost_file', l.batch_id, b.rows - b.rejected from batches b, lost_batches l
    where b.id = ${batchId} and (l.files && ${[...files]}::text[] or l.batch_id = b.id)
    on conflict do nothing`.execute(transaction);
}

/** Quarantines a batch whose payouts also occur in a batch that the ledger has lost. */
export async function quarantineLostPayouts(
  transaction: Database,
  batchId: string,
  { lostBatch, rows }: { readonly lostBatch: string; readonly rows: number },
): Promise<void> {
  await sql`
    insert into quarantine (batch_id, cause, lost_batch, rows) values (${batchId}, 'lost_payouts', ${lostBatch}, ${rows})
    on conflict (batch_id, cause, lost_batch) do update set rows = excluded.rows
    where quarantine.decision is distinct from 'released'`.execute(transaction);
}

/** Returns why the batch is or was in quarantine, oldest cause first. */
export async function findQuarantineCauses(
  database: Database,
  batchId: string,
): Promise<readonly QuarantineCause[]> {
  return (await findQuarantines(database, [batchId])).get(batchId) ?? [];
}

/** Returns the same for several batches. Batches that never were in quarantine are omitted. */
export async function findQuarantines(
  database: Database,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, readonly QuarantineCause[]>> {
  const { rows } = await sql<QuarantineCause & { batchId: string }>`
    select q.batch_id as "batchId", q.cause, nullif(q.lost_batch, '') as "lostBatch", l.file_name as "lostFile",
      l.uploaded_at as "lostAt", q.rows, q.at, q.decision, q.decided_by as "decidedBy",
      q.decided_at as "decidedAt", q.reason
    from quarantine q left join lost_batches l on l.batch_id = q.lost_batch
    where q.batch_id = any(${[...batchIds]}) order by q.at, q.cause, q.lost_batch`.execute(
    database,
  );
  return Map.groupBy(rows, ({ batchId }) => batchId);
}

export interface QuarantineOrder {
  readonly batchId: string;
  readonly decision: "kept" | "released";
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Records a person's decision about a batch in quarantine. A released batch can be approved and
 * sent like any other; a kept one stays. Returns false if it is not in quarantine.
 */
export async function decideQuarantine(
  transaction: Database,
  { batchId, decision, reason, actor, at }: QuarantineOrder,
): Promise<boolean> {
  await lockBatch(transaction, batchId);
  const { rows } = await sql<{ cause: string; lost_batch: string; rows: number }>`
    update quarantine set decision = ${decision}, decided_at = ${at}, decided_by = ${actor}, reason = ${reason}
    where batch_id = ${batchId} and decision is distinct from 'released'
    returning cause, lost_batch, rows`.execute(transaction);
  if (rows.length === 0) return false;
  await appendAudit(transaction, at, {
    actor,
    action: decision === "released" ? "release_quarantine" : "keep_quarantine",
    object: batchId,
    facts: { reason, causes: rows },
  });
  return true;
}

export interface LostBatch {
  readonly batchId: string;
  readonly fileName: string;
  readonly takenInAt: Date;
  readonly rows: number;
  /** Per currency, as decimal text. */
  readonly totals: Readonly<Record<string, string>>;
  /** The machine whose memory contains it. */
  readonly host: string;
  readonly acknowledgedAt: Date | null;
}

/**
 * Returns the batches that the ledger lacks, according to the memories of all machines that
 * compared it, oldest first.
 */
export async function findLostBatches(
  database: Database,
  which: "all" | "unacknowledged",
): Promise<readonly LostBatch[]> {
  const { rows } = await sql<LostBatch>`
    select batch_id as "batchId", file_name as "fileName", uploaded_at as "takenInAt", rows, totals, host,
      acknowledged_at as "acknowledgedAt"
    from lost_batches where ${which === "all"} or acknowledged_at is null
    order by uploaded_at, batch_id`.execute(database);
  return rows;
}

/**
 * Records that a person has acknowledged the loss of a batch. Returns false if it is not a lost
 * batch or was acknowledged before.
 */
export async function acknowledgeLost(
  transaction: Database,
  { batchId, reason, actor, at }: Omit<QuarantineOrder, "decision">,
): Promise<boolean> {
  const { rows } = await sql<{ file_name: string; rows: number }>`
    update lost_batches set acknowledged_at = ${at}, acknowledged_by = ${actor}, acknowledged_reason = ${reason}
    where batch_id = ${batchId} and acknowledged_at is null returning file_name, rows`.execute(
    transaction,
  );
  const [row] = rows;
  if (!row) return false;
  const facts = { reason, file: row.file_name, rows: row.rows };
  await appendAudit(transaction, at, { actor, action: "acknowledge_lost", object: batchId, facts });
  return true;
}

/** A batch in quarantine without a decision. */
export interface UndecidedBatch {
  readonly batchId: string;
  readonly fileName: string;
  readonly arrivedAt: Date;
  readonly rows: number;
  readonly maker: string;
}

export const UNDECIDED_BATCHES = sql`from batches b where b.state not in ('cancelled', 'finished', 'finished_with_exceptions')
    and exists (select from quarantine q where q.batch_id = b.id and q.decision is null)`;

/** Returns the quarantined batches that await a decision, oldest first. */
export async function findUndecidedBatches(database: Database): Promise<readonly UndecidedBatch[]> {
  const { rows } = await sql<UndecidedBatch>`
    select b.id as "batchId", b.file_name as "fileName", b.created_at as "arrivedAt", b.rows - b.rejected as rows, b.maker
    ${UNDECIDED_BATCHES} order by b.created_at, b.id`.execute(database);
  return rows;
}
