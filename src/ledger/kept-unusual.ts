import type { Database } from "#ledger/database.ts";
import { type Flag, type Limits, limitsText } from "#ledger/unusual.ts";

/** What a batch was looked through for; with another content or other limits it is looked through anew. */
export interface LookedFor {
  readonly batchId: string;
  readonly contentDigest: string;
  readonly limits: Limits;
}

export interface Looked {
  readonly flags: readonly Flag[];
  readonly at: Date;
}

/** Null: nobody has looked through the batch as it is now. */
export async function keptFlags(
  database: Database,
  { batchId, contentDigest, limits }: LookedFor,
): Promise<Looked | null> {
  const kept = await database
    .selectFrom("batch_unusual")
    .select(["flags", "at"])
    .where("batch_id", "=", batchId)
    .where("content_digest", "=", contentDigest)
    .where("limits", "=", limitsText(limits))
    .executeTakeFirst();
  return kept ? { flags: kept.flags as Flag[], at: kept.at } : null;
}

export async function keepFlags(
  database: Database,
  { batchId, contentDigest, limits }: LookedFor,
  { flags, at }: Looked,
): Promise<void> {
  const looked = {
    content_digest: contentDigest,
    limits: limitsText(limits),
    flags: JSON.stringify(flags),
    at,
  };
  await database
    .insertInto("batch_unusual")
    .values({ batch_id: batchId, ...looked })
    .onConflict((conflict) => conflict.column("batch_id").doUpdateSet(looked))
    .execute();
}
