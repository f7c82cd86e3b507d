import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Payouts put on hold since then, and callbacks for codes that the ledger lacks: some of each, and
 * their number.
 */
export interface FindingsSinceFreeze {
  readonly held: readonly { transactionCode: string; batchId: string; reason: string | null }[];
  readonly heldCount: number;
  readonly strayCodes: readonly string[];
  readonly strayCount: number;
}

/** Returns problems found since the ledger was frozen. */
export async function findSinceFreeze(
  database: Database,
  since: Date,
  limit: number,
): Promise<FindingsSinceFreeze> {
  const held = await database
    .selectFrom("payouts as p")
    .innerJoin("payout_details as d", "d.payout_id", "p.id")
    .select(["d.transaction_code", "p.batch_id", "p.reason"])
    .select(sql<number>`count(*) over ()`.as("all"))
    .where("p.state", "=", "on_hold")
    .where("p.updated_at", ">=", since)
    .orderBy("p.id")
    .limit(limit)
    .execute();
  const { rows: stray } = await sql<{ code: string; all: number }>`
    select facts->>'transactionCode' as code, count(*) over () as "all" from stray_callbacks
    where at >= ${since} group by 1 order by 1 limit ${limit}`.execute(database);
  return {
    held: held.map(({ transaction_code, batch_id, reason }) => ({
      transactionCode: transaction_code,
      batchId: batch_id,
      reason,
    })),
    heldCount: held[0]?.all ?? 0,
    strayCodes: stray.map(({ code }) => code),
    strayCount: stray[0]?.all ?? 0,
  };
}

/**
 * Returns whether a restore memory contains every batch that this machine has handled since the
 * last record of the restored ledger.
 *
 * @param since start of the memory; null: there is none.
 */
export async function doesMemoryCoverGap(
  database: Database,
  since: Date | null,
  frozenAt: Date,
): Promise<boolean> {
  if (!since) return false;
  const { rows } = await sql<{ last: Date }>`
    select at::timestamptz as last from audit where at::timestamptz < ${frozenAt}::timestamptz
    order by seq desc limit 1`.execute(database);
  return since <= (rows[0]?.last ?? frozenAt);
}
