import type { Database } from "#ledger/database.ts";

/** Whether the payer's reference was handed in: an attempt to do so is on record. */
export async function hasPayerReference(database: Database, depositId: number): Promise<boolean> {
  const attempt = await database
    .selectFrom("deposit_attempts")
    .select("number")
    .where("deposit_id", "=", depositId)
    .where("kind", "=", "reference")
    .limit(1)
    .executeTakeFirst();
  return attempt !== undefined;
}
