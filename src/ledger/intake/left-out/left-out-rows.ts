import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { openRejected, sealRejected, type SealedRejection } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

interface LeftOutRow extends SealedRejection {
  readonly line: number;
  readonly actor: string;
  readonly at: Date;
}

/** Stores rows that were taken out of their batch. */
export async function insertLeftOutRows(
  transaction: Database,
  sealer: Sealer,
  { batchId, actor, at }: { readonly batchId: string; readonly actor: string; readonly at: Date },
  rows: ReadonlyMap<number, SealedRejection>,
): Promise<void> {
  await sql`
    insert into left_out_rows (batch_id, line, sealed, actor, at)
    select ${batchId}, line, sealed, ${actor}, ${at} from unnest(
      ${[...rows.keys()]}::int[],
      ${[...rows].map(([line, row]) => sealRejected(sealer, batchId, { line, ...row }))}::bytea[]
    ) as v(line, sealed)`.execute(transaction);
}

/** Removes rows that return to their batch. Returns them, still sealed. */
export async function removeLeftOutRows(
  transaction: Database,
  batchId: string,
  lines: readonly number[],
): Promise<readonly { readonly line: number; readonly sealed: Buffer }[]> {
  const { rows } = await sql<{ line: number; sealed: Buffer }>`
    delete from left_out_rows where batch_id = ${batchId} and line = any(${[...lines]}::int[])
    returning line, sealed`.execute(transaction);
  return rows;
}

/** Returns the rows on these lines that were left out of the batch, by line. */
export async function findLeftOutRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, SealedRejection>> {
  const { rows } = await sql<{ line: number; sealed: Buffer }>`
    select line, sealed from left_out_rows
    where batch_id = ${batchId} and line = any(${[...lines]}::int[])`.execute(database);
  return new Map(
    rows.map(({ line, sealed }) => [line, openRejected(sealer, batchId, line, sealed)]),
  );
}

/** Returns the rows that were left out of a batch, in the order of their lines. */
export async function listLeftOutRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly LeftOutRow[]> {
  const rows = await database
    .selectFrom("left_out_rows")
    .select(["line", "sealed", "actor", "at"])
    .where("batch_id", "=", batchId)
    .where("line", ">", after)
    .orderBy("line")
    .limit(limit)
    .execute();
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    ...openRejected(sealer, batchId, row.line, sealed),
  }));
}

/** Returns the number of rows that were left out of a batch. */
export async function countLeftOutRows(database: Database, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from left_out_rows where batch_id = ${batchId}`.execute(database);
  return rows[0]?.count ?? 0;
}
