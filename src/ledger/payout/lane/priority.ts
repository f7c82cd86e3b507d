import { type RawBuilder, sql } from "kysely";
import { PRIORITIES, type Priority } from "#payout/priority.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { notPaused } from "#ledger/payout/lane/lane-pauses.ts";
import { IS_WAITING } from "#ledger/schedule/send-times.ts";
import { NO_COMPETING_BATCHES, type CompetingBatches } from "#payout/lane/rate-limit.ts";

export interface PriorityOrder {
  readonly batchId: string;
  readonly priority: Priority;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Returns the rank of a batch's priority; 1 is sent first.
 *
 * @param batch the name of the table in the statement.
 */
export const priorityRank = (batch: string): RawBuilder<number> =>
  sql<number>`array_position(array[${sql.join(PRIORITIES.map((each) => sql.lit(each)))}], ${sql.ref(`${batch}.priority`)})`;

/** Returns false if there is no such batch or it has finished. */
export async function setPriority(
  transaction: Database,
  { batchId, priority, reason, actor, at }: PriorityOrder,
): Promise<boolean> {
  const set = await transaction
    .updateTable("batches")
    .set({ priority })
    .where("id", "=", batchId)
    .where("finished_at", "is", null)
    .returning("id")
    .execute();
  if (set.length === 0) return false;
  const facts = { priority, reason };
  await appendAudit(transaction, at, { actor, action: "set_priority", object: batchId, facts });
  return true;
}

/**
 * Counts the other batches with payouts to send in this lane now: those of higher priority and
 * those of the same priority.
 */
export async function findCompetingBatches(
  database: Database,
  batchId: string,
  lane: string,
): Promise<CompetingBatches> {
  const { rows } = await sql<CompetingBatches>`
    select count(*) filter (where ${priorityRank("b")} < ${priorityRank("me")})::int as before,
      count(*) filter (where ${priorityRank("b")} = ${priorityRank("me")})::int as beside,
      min(l.turns) filter (where ${priorityRank("b")} = ${priorityRank("me")}) as fewest,
      (select turns from batch_lanes where batch_id = ${batchId} and lane = ${lane}) as turns
    from batches me, batches b join batch_lanes l on l.batch_id = b.id
    where me.id = ${batchId} and b.id <> me.id and l.lane = ${lane} and b.state = 'approved' and not b.cancelling and not ${IS_WAITING}
      and ${notPaused(sql`b.id`, lane)}
      and exists (select from payouts where batch_id = b.id and lane = ${lane}
        and state = 'approved' and due_at <= now() order by line limit 1)`.execute(database);
  return rows[0] ?? NO_COMPETING_BATCHES;
}

/** Stores the number of turns that the batch has had in this lane. */
export async function storeTurns(
  transaction: Database,
  batchId: string,
  lane: string,
  turns: number,
): Promise<void> {
  await sql`update batch_lanes set turns = ${turns} where batch_id = ${batchId} and lane = ${lane}`.execute(
    transaction,
  );
}
