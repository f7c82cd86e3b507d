import { sql } from "kysely";
import type { RowCheck } from "#approval/anomalies.ts";
import type { Database } from "#ledger/store/database.ts";
import type { PossibleDuplicates } from "#ledger/approval/possible-duplicates.ts";
import { type StoredAnomaly, type AmountLimits, limitsText } from "#ledger/approval/anomalies.ts";

/**
 * Identifies an examination of a batch. If the content or the limits change, the batch is examined
 * again.
 */
export interface AnomalyCheckKey {
  readonly batchId: string;
  readonly contentDigest: string;
  readonly limits: AmountLimits;
}

/** Increased with each new check, so that batches examined without it are examined again. */
const CHECKS_VERSION = 6;
const limitsKey = (limits: AmountLimits): string => `${CHECKS_VERSION} ${limitsText(limits)}`;

export interface StoredAnomalies {
  readonly flags: readonly StoredAnomaly[];
  /** Number of rows that any check found. The flags name only the largest of each check. */
  readonly flaggedRows: number;
  readonly possibleDuplicates: PossibleDuplicates;
  readonly at: Date;
}

/** Returns the stored findings, or null if the batch has not been examined in its current form. */
export async function findStoredAnomalies(
  database: Database,
  { batchId, contentDigest, limits }: AnomalyCheckKey,
): Promise<StoredAnomalies | null> {
  const kept = await database
    .selectFrom("batch_anomalies")
    .select(["flags", "flagged_rows", "possible_duplicates", "at"])
    .where("batch_id", "=", batchId)
    .where("content_digest", "=", contentDigest)
    .where("limits", "=", limitsKey(limits))
    .where("possible_duplicates", "is not", null)
    .executeTakeFirst();
  return kept
    ? {
        flags: kept.flags as StoredAnomaly[],
        flaggedRows: kept.flagged_rows ?? 0,
        possibleDuplicates: kept.possible_duplicates as PossibleDuplicates,
        at: kept.at,
      }
    : null;
}

/** The kinds of findings in a batch, without their rows. */
export interface StoredChecks {
  readonly batchId: string;
  /** The checks that found rows. */
  readonly checks: readonly RowCheck[];
  /** Number of other batches that pay the same accounts the same amounts. */
  readonly overlaps: number;
  readonly at: Date;
}

/** Returns the stored kinds of findings of these batches, as far as they have been examined. */
export async function findStoredChecks(
  database: Database,
  batchIds: readonly string[],
  limits: AmountLimits,
): Promise<readonly StoredChecks[]> {
  const { rows } = await sql<StoredChecks>`
    select a.batch_id as "batchId", a.at,
      array(select distinct flag ->> 'check' from jsonb_array_elements(a.flags::jsonb) flag) as checks,
      jsonb_array_length(a.possible_duplicates::jsonb -> 'overlaps') as overlaps
    from batch_anomalies a join batches b on b.id = a.batch_id and b.content_digest = a.content_digest
    where a.batch_id = any(${[...batchIds]}::text[]) and a.limits = ${limitsKey(limits)}
      and a.possible_duplicates is not null`.execute(database);
  return rows;
}

/**
 * Stores the anomalies found in a batch, together with the content and limits that were checked.
 */
export async function storeAnomalies(
  database: Database,
  { batchId, contentDigest, limits }: AnomalyCheckKey,
  { flags, flaggedRows, possibleDuplicates, at }: StoredAnomalies,
): Promise<void> {
  const looked = {
    content_digest: contentDigest,
    limits: limitsKey(limits),
    flags: JSON.stringify(flags),
    flagged_rows: flaggedRows,
    possible_duplicates: JSON.stringify(possibleDuplicates),
    at,
  };
  await database
    .insertInto("batch_anomalies")
    .values({ batch_id: batchId, ...looked })
    .onConflict((conflict) => conflict.column("batch_id").doUpdateSet(looked))
    .execute();
}
