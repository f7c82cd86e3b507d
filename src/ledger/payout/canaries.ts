import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { moveBatch } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import type { CanaryProgress } from "#payout/lane/canary.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

interface CanaryOrder {
  readonly batchId: string;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Sets how many payouts of each lane are sent first; 0: none. Returns false if the batch is already
 * approved or does not exist.
 */
export async function setCanary(
  transaction: Database,
  { batchId, payouts, actor, at }: CanaryOrder & { readonly payouts: number },
): Promise<boolean> {
  const { rows } = await sql`
    update batches set canary = ${payouts}
    where id = ${batchId} and state in ('needs_correction', 'draft', 'awaiting_approval')
    returning id`.execute(transaction);
  if (rows.length === 0) return false;
  const facts = { payouts };
  await appendAudit(transaction, at, { actor, action: "set_canary", object: batchId, facts });
  return true;
}

/** Returns the requested number of payouts of each lane that are sent first; 0: none. */
export async function findRequestedCanary(database: Database, batchId: string): Promise<number> {
  const batch = await database
    .selectFrom("batches")
    .select("canary")
    .where("id", "=", batchId)
    .executeTakeFirst();
  return batch?.canary ?? 0;
}

export interface Canary extends CanaryProgress {
  readonly batchId: string;
  readonly lane: string;
  readonly failed: string | null;
  readonly releasedAt: Date | null;
  readonly releasedBy: string | null;
}

/**
 * Returns canaries.
 *
 * @param batchId null: those that batches in progress wait for. For one batch, released canaries
 * are included.
 */
export async function findCanaries(database: Database, batchId: string | null): Promise<Canary[]> {
  const condition =
    batchId === null
      ? sql`b.state = 'approved' and c.released_at is null`
      : sql`c.batch_id = ${batchId}`;
  const { rows } = await sql<
    Omit<Canary, "lost"> & { lost_code: string | null; lost_state: PayoutState | null }
  >`select c.batch_id as "batchId", c.lane, c.failed, c.released_at as "releasedAt", c.released_by as "releasedBy",
      n.*, l.*
    from canaries c join batches b on b.id = c.batch_id,
      lateral (select count(*)::int as payouts, count(*) filter (where state = 'settled')::int as settled,
          (extract(epoch from now() - min(first_sent_at)
            filter (where state in ('submitting', 'in_doubt', 'accepted'))) * 1000)::double precision as "openMs"
        from payouts where id = any (c.payout_ids)) n
      left join lateral (select d.transaction_code as lost_code, p.state as lost_state
        from payouts p join payout_details d on d.payout_id = p.id
        where p.id = any (c.payout_ids) and p.state in ('declined', 'held_back', 'on_hold', 'returned', 'cancelled', 'resolved')
        order by p.line limit 1) l on true
    where ${condition} order by c.batch_id, c.lane`.execute(database);
  return rows.map(({ lost_code, lost_state, ...row }) => ({
    ...row,
    lost: lost_code && lost_state ? { transactionCode: lost_code, state: lost_state } : null,
  }));
}

/**
 * Releases the rest of the batch: immediately if a person gives a reason, otherwise only where
 * every canary of the lane is settled. Returns the lanes that waited.
 *
 * @param lane null: all lanes of the batch.
 */
export async function releaseCanaries(
  transaction: Database,
  {
    batchId,
    lane,
    reason,
    actor,
    at,
  }: CanaryOrder & { readonly lane: string | null; readonly reason: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ lane: string; failed: string | null }>`
    update canaries c set released_at = now(), released_by = ${actor}
    where batch_id = ${batchId} and lane = coalesce(${lane}, lane) and released_at is null
      and (${reason}::text is not null
        or not exists (select from payouts where id = any (c.payout_ids) and state <> 'settled'))
    returning lane, failed`.execute(transaction);
  const lanes = rows.map((row) => row.lane).sort();
  if (lanes.length === 0) return [];
  const facts = { lanes, reason };
  await appendAudit(transaction, at, { actor, action: "release_canary", object: batchId, facts });
  const isPausedForIt = rows.some(({ failed }) => failed !== null);
  if (isPausedForIt) {
    await moveBatch(transaction, { id: batchId, event: "resume", reason, actor, at });
  }
  return lanes;
}

/**
 * Pauses the batch until a person decides, and records the reason. Returns false if the batch is
 * not being sent or the canary was released.
 */
export async function failCanary(
  transaction: Database,
  {
    batchId,
    lane,
    reason,
    actor,
    at,
  }: CanaryOrder & { readonly lane: string; readonly reason: string },
): Promise<boolean> {
  const paused = await moveBatch(transaction, { id: batchId, event: "pause", reason, actor, at });
  if (paused === null) return false;
  const { rows } = await sql`
    update canaries set failed = ${reason}
    where batch_id = ${batchId} and lane = ${lane} and released_at is null
    returning lane`.execute(transaction);
  if (rows.length > 0) return true;
  throw new Error(
    `the canary of ${batchId} in ${lane} was released while the batch was paused for it`,
  );
}
