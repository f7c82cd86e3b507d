import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * The condition that payrun found exact duplicates in the current content of the batch `b`, and
 * that nobody has given a reason for the duplicates.
 */
export const IS_BLOCKED = sql<boolean>`b.state = 'awaiting_approval'
      and exists (select from notices where key = 'batch_blocked ' || b.id || ' ' || b.content_digest)
      and not exists (
        select from duplicates_allowed a
        where a.batch_id = b.id and a.content_digest = b.content_digest
      )`;

/** Returns the batches of this uploader that exact duplicates block, oldest first. */
export async function findBlockedBatches(database: Database, maker: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id from batches b where b.maker = ${maker} and ${IS_BLOCKED}
    order by b.created_at`.execute(database);
  return rows.map(({ id }) => id);
}

/** Returns those of the batches that exact duplicates block until a person gives a reason. */
export async function findBlockedAmong(
  database: Database,
  batchIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (batchIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select b.id from batches b where b.id = any(${[...batchIds]}) and ${IS_BLOCKED}`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}
