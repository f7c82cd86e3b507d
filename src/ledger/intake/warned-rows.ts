import { sql } from "kysely";
import { maskProblem } from "#intake/masking.ts";
import type { Problem } from "#intake/text/problems.ts";
import { removeLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { findRejectedRows, removeRejectedRows } from "#ledger/intake/rejected-rows.ts";
import { countLanes } from "#ledger/intake/lane-totals.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  openRejected,
  openWarned,
  sealRejected,
  sealWarned,
  type SealedRejection,
} from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

type RowsByLine = ReadonlyMap<number, SealedRejection>;

async function findWarnedRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<RowsByLine> {
  const { rows } = await sql<{ line: number; sealed: Buffer }>`
    select line, sealed from warned_rows
    where batch_id = ${batchId} and line = any(${[...lines]}::int[])`.execute(database);
  return new Map(rows.map(({ line, sealed }) => [line, openWarned(sealer, batchId, line, sealed)]));
}

/** Stores rows with warnings as they were in the file. */
export async function insertWarnedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  rows: readonly (SealedRejection & { readonly line: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into warned_rows (batch_id, line, sealed)
    select ${batchId}, line, sealed from unnest(
      ${rows.map(({ line }) => line)}::int[],
      ${rows.map((row) => sealWarned(sealer, batchId, row))}::bytea[]
    ) as v(line, sealed)`.execute(transaction);
}

/** Returns the stored warnings about a row. */
export async function findRowWarnings(
  database: Database,
  sealer: Sealer,
  { batchId, line }: { readonly batchId: string; readonly line: number },
): Promise<readonly Problem[]> {
  const rows = await findWarnedRows(database, sealer, batchId, [line]);
  return rows.get(line)?.problems ?? [];
}

/** Returns the warnings about these rows as sentences without account numbers, by line. */
export async function findWarnings(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await findWarnedRows(database, sealer, batchId, lines);
  return new Map(
    [...rows].map(([line, { problems }]) => [
      line,
      problems.map((problem) => maskProblem(problem).message),
    ]),
  );
}

/** Returns the rows on these lines that can be edited: rejected rows, and rows with warnings. */
export async function findEditableRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<RowsByLine> {
  const warned = await findWarnedRows(database, sealer, batchId, lines);
  return new Map([...warned, ...(await findRejectedRows(database, sealer, batchId, lines))]);
}

/** Valid rows that were taken out of their batch. */
interface RemovedRows {
  readonly before: RowsByLine;
  /** The codes of their payouts, by line. */
  readonly codes: ReadonlyMap<number, string>;
}

/**
 * Takes valid rows with warnings out of a batch, so that they can be read again with new values,
 * and keeps a copy of each row for the approver.
 */
async function removeWarnedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<RemovedRows> {
  const removed = await takeWarnedRows(transaction, sealer, batchId, lines);
  const { before } = removed;
  await sql`
    insert into corrected_rows (batch_id, line, sealed)
    select ${batchId}, line, sealed from unnest(
      ${[...before.keys()]}::int[],
      ${[...before].map(([line, row]) => sealRejected(sealer, batchId, { line, ...row }))}::bytea[]
    ) as v(line, sealed)`.execute(transaction);
  return removed;
}

/**
 * Takes valid rows with warnings out of a batch that nobody can approve at the moment: removes
 * their payouts and counts the totals of the batch again. Rows of a retry batch, rows with a
 * comment and payouts whose code the gateway may know stay.
 */
export async function takeWarnedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<RemovedRows> {
  // A freeze that starts meanwhile waits: it queries the codes of all payouts.
  await sql`select from epoch for share`.execute(transaction);
  const { rows } = await sql<{ id: number; line: number }>`
    select p.id, p.line
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    where b.id = ${batchId} and b.state in ('needs_correction', 'draft')
      and p.line = any(${[...lines]}::int[])
      and p.seq = 0 and p.status_queries = 0 and p.queried_at is null
      and not exists (select from epoch where frozen_at is not null)
      and exists (select from warned_rows where batch_id = b.id and line = p.line)
      and not exists (select from comments where payout_id = p.id)
      and not exists (select from descendants where payout_id = p.id)`.execute(transaction);
  if (rows.length === 0) return { before: new Map(), codes: new Map() };
  const ids = rows.map(({ id }) => id);
  const removed = rows.map(({ line }) => line);
  const before = await findWarnedRows(transaction, sealer, batchId, removed);
  const codes = await sql<{ line: number; code: string }>`
    select line, code
    from remove_payouts(${ids}::bigint[])
      join unnest(${ids}::bigint[], ${removed}::int[]) as v(id, line) on id = removed_id`.execute(
    transaction,
  );
  await sql`
    delete from warned_rows
    where batch_id = ${batchId} and line = any(${removed}::int[])`.execute(transaction);
  await countLanes(transaction, batchId);
  return { before, codes: new Map(codes.rows.map(({ line, code }) => [line, code])) };
}

/**
 * The rows that a correction replaces: the rejected ones, those that can be edited (also valid rows
 * with warnings), or those that were left out and are put back.
 */
export type TakenRows = "rejected" | "editable" | "left out";

/** Removes rows from where they are stored, so that they are read again. */
export async function takeRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  { lines, from }: { readonly lines: readonly number[]; readonly from: TakenRows },
): Promise<{
  readonly taken: ReadonlyMap<number, SealedRejection>;
  /** The codes of the payouts that were removed, by line. */
  readonly codes: ReadonlyMap<number, string>;
  readonly putBack: number;
}> {
  const isPutBack = from === "left out";
  const remove = isPutBack ? removeLeftOutRows : removeRejectedRows;
  const rows = await remove(transaction, batchId, lines);
  const stored = rows.map(
    ({ line, sealed }) => [line, openRejected(sealer, batchId, line, sealed)] as const,
  );
  const putBack = isPutBack ? rows.length : 0;
  if (from !== "editable") return { taken: new Map(stored), codes: new Map(), putBack };
  const { before, codes } = await removeWarnedRows(transaction, sealer, batchId, lines);
  return { taken: new Map([...stored, ...before]), codes, putBack };
}
