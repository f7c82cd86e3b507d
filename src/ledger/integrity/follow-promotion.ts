import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { EpochInspection } from "#ledger/integrity/freeze.ts";
import { TIMELINE } from "#ledger/integrity/replication.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Continues on the timeline of a promoted standby that has every claim. Somebody else may have done
 * so already. The record stays, because the other standbys that it names still trust it.
 */
export async function followPromotion(
  transaction: Database,
  { epoch, recordedPlace, currentPlace, replication }: EpochInspection,
): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    update epoch set timeline = ${currentPlace.timeline}
    where number = ${epoch} and timeline = ${recordedPlace.timeline} and frozen_at is null
      and ${TIMELINE} = ${currentPlace.timeline}
    returning now() as at`.execute(transaction);
  const [done] = rows;
  if (!done) return;
  await appendAudit(transaction, done.at, {
    actor: "payrun",
    action: "follow_promotion",
    object: "ledger",
    facts: {
      epoch,
      from: recordedPlace.timeline,
      to: currentPlace.timeline,
      standby: replication.serverName,
    },
  });
}
