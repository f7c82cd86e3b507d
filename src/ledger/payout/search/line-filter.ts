import type { Database } from "#ledger/store/database.ts";

/**
 * Returns the id of a line. Ids are assigned in the order of the lines, so a binary search finds
 * it, and lines need no index.
 */
export async function idOfLine(
  database: Database,
  batchId: string,
  line: number,
): Promise<number | null> {
  // Each file that corrected rows of the batch has an order of its own.
  const corrections = await database
    .selectFrom("corrections")
    .select(["first_id", "last_id"])
    .where("batch_id", "=", batchId)
    .orderBy("first_id")
    .execute();
  const batch = await database
    .selectFrom("batches")
    .select(["first_id", "last_id"])
    .where("id", "=", batchId)
    .executeTakeFirst();
  if (!batch) return null;
  const first = corrections.find(({ first_id }) => first_id > 0)?.first_id;
  const file = { first_id: batch.first_id, last_id: first ? first - 1 : batch.last_id };
  for (const ids of [file, ...corrections]) {
    const found = await idAmong(database, batchId, line, ids);
    if (found !== null) return found;
  }
  return null;
}

async function idAmong(
  database: Database,
  batchId: string,
  line: number,
  ids: { readonly first_id: number; readonly last_id: number },
): Promise<number | null> {
  let { first_id: low, last_id: high } = ids;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const at = await database
      .selectFrom("payouts")
      .select(["id", "line"])
      .where("id", ">=", middle)
      .where("id", "<=", high)
      .where("batch_id", "=", batchId)
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (at?.line === line) return at.id;
    if (at && at.line < line) low = at.id + 1;
    else high = middle - 1;
  }
  return null;
}
