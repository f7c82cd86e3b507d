import { sql } from "kysely";
import type { Problem } from "#intake/text/problems.ts";
import type { Database } from "#ledger/store/database.ts";
import { openRejected } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Removes rejected rows that a correction replaces, and keeps a copy of each for the approver.
 * Returns the removed rows, still sealed.
 */
export async function removeRejectedRows(
  transaction: Database,
  batchId: string,
  lines: readonly number[],
): Promise<readonly { readonly line: number; readonly sealed: Buffer }[]> {
  const { rows } = await sql<{ line: number; sealed: Buffer }>`
    with removed as (
      delete from rejected_rows where batch_id = ${batchId} and line = any(${[...lines]}::int[])
      returning batch_id, line, sealed
    ), kept as (
      insert into corrected_rows (batch_id, line, sealed) select batch_id, line, sealed from removed
    )
    select line, sealed from removed`.execute(transaction);
  return rows;
}

/** Returns the rejected rows on these lines, by line. Lines that are not rejected are left out. */
export async function findRejectedRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<
  ReadonlyMap<number, { readonly cells: readonly string[]; readonly problems: readonly Problem[] }>
> {
  const rows = await database
    .selectFrom("rejected_rows")
    .select(["line", "sealed"])
    .where("batch_id", "=", batchId)
    .where(sql<boolean>`line = any(${[...lines]}::int[])`)
    .execute();
  return new Map(
    rows.map(({ line, sealed }) => [line, openRejected(sealer, batchId, line, sealed)]),
  );
}

/** Returns the last rejected rows of a batch, in the order of their lines. */
export async function findLastRejectedRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  limit: number,
): Promise<readonly { readonly line: number; readonly cells: readonly string[] }[]> {
  const rows = await database
    .selectFrom("rejected_rows")
    .select(["line", "sealed"])
    .where("batch_id", "=", batchId)
    .orderBy("line", "desc")
    .limit(limit)
    .execute();
  return rows
    .map(({ line, sealed }) => ({ line, ...openRejected(sealer, batchId, line, sealed) }))
    .toReversed();
}
