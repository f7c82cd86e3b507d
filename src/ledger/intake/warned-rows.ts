import { sql } from "kysely";
import { maskProblem } from "#intake/masking.ts";
import { findRejectedRows } from "#ledger/intake/rejected-rows.ts";
import type { Database } from "#ledger/store/database.ts";
import { openWarned, sealRejected, type SealedRejection } from "#ledger/store/sealed-rows.ts";
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

/**
 * Takes valid rows with warnings out of a batch that was never approved, so that they can be read
 * again with new values: removes their payouts, counts the totals of the batch again, and keeps a
 * copy of each row for the approver. Rows of a retry batch and rows with a comment stay.
 */
export async function removeWarnedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<RowsByLine> {
  const { rows } = await sql<{ id: number; line: number }>`
    select p.id, p.line
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    where b.id = ${batchId} and p.line = any(${[...lines]}::int[]) and p.seq = 0
      and exists (select from warned_rows where batch_id = b.id and line = p.line)
      and not exists (select from comments where payout_id = p.id)
      and not exists (select from descendants where payout_id = p.id)`.execute(transaction);
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const removed = rows.map(({ line }) => line);
  const before = await findWarnedRows(transaction, sealer, batchId, removed);
  await sql`select remove_payouts(${ids}::bigint[])`.execute(transaction);
  await sql`
    delete from warned_rows
    where batch_id = ${batchId} and line = any(${removed}::int[])`.execute(transaction);
  await sql`
    insert into corrected_rows (batch_id, line, sealed)
    select ${batchId}, line, sealed from unnest(
      ${[...before.keys()]}::int[],
      ${[...before].map(([line, row]) => sealRejected(sealer, batchId, { line, ...row }))}::bytea[]
    ) as v(line, sealed)`.execute(transaction);
  await countLanes(transaction, batchId);
  return before;
}

/** Counts the totals of a batch again from its payouts. */
async function countLanes(transaction: Database, batchId: string): Promise<void> {
  await sql`
    with counted as materialized (
      select l.lane, count(p.id)::int as rows, sum(p.amount_minor) as total, max(p.amount_minor) as largest
      from batches b join batch_lanes l on l.batch_id = b.id
      left join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id and p.lane = l.lane
      where b.id = ${batchId}
      group by l.lane
    ), emptied as (
      delete from batch_lanes
      where batch_id = ${batchId} and lane in (select lane from counted where rows = 0)
    )
    update batch_lanes l set rows = c.rows, total_minor = c.total, largest_minor = c.largest
    from counted c where l.batch_id = ${batchId} and l.lane = c.lane and c.rows > 0`.execute(
    transaction,
  );
}
