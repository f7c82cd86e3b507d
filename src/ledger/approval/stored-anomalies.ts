import type { Database } from "#ledger/store/database.ts";
import type { Near } from "#ledger/approval/possible-duplicates.ts";
import { type Flag, type Limits, limitsText } from "#ledger/approval/anomalies.ts";

/**
 * Identifies an examination of a batch. If the content or the limits change, the batch is examined
 * again.
 */
export interface LookedFor {
  readonly batchId: string;
  readonly contentDigest: string;
  readonly limits: Limits;
}

/** Increased with each new check, so that batches examined without it are examined again. */
const CHECKS_VERSION = 2;
const lookedBy = (limits: Limits): string => `${CHECKS_VERSION} ${limitsText(limits)}`;

export interface Looked {
  readonly flags: readonly Flag[];
  readonly near: Near;
  readonly at: Date;
}

/** Returns the stored findings, or null if the batch has not been examined in its current form. */
export async function keptFlags(
  database: Database,
  { batchId, contentDigest, limits }: LookedFor,
): Promise<Looked | null> {
  const kept = await database
    .selectFrom("batch_anomalies")
    .select(["flags", "possible_duplicates", "at"])
    .where("batch_id", "=", batchId)
    .where("content_digest", "=", contentDigest)
    .where("limits", "=", lookedBy(limits))
    .where("possible_duplicates", "is not", null)
    .executeTakeFirst();
  return kept
    ? { flags: kept.flags as Flag[], near: kept.possible_duplicates as Near, at: kept.at }
    : null;
}

/**
 * Stores the anomalies found in a batch, together with the content and limits that were checked.
 */
export async function keepFlags(
  database: Database,
  { batchId, contentDigest, limits }: LookedFor,
  { flags, near, at }: Looked,
): Promise<void> {
  const looked = {
    content_digest: contentDigest,
    limits: lookedBy(limits),
    flags: JSON.stringify(flags),
    possible_duplicates: JSON.stringify(near),
    at,
  };
  await database
    .insertInto("batch_anomalies")
    .values({ batch_id: batchId, ...looked })
    .onConflict((conflict) => conflict.column("batch_id").doUpdateSet(looked))
    .execute();
}
