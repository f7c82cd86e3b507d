import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

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
