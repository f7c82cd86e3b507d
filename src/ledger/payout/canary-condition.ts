import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Returns the condition of a claim that its payout need not wait for the canary of its batch. */
export const notBehindCanary = (batchId: string, lane: string): RawBuilder<boolean> =>
  sql<boolean>`line <= coalesce((select last_line from canaries
    where batch_id = ${batchId} and lane = ${lane} and released_at is null), 2147483647)`;

/** Chooses which payouts of each lane are sent first, in a batch that has just been approved. */
export async function chooseCanaries(transaction: Database, batchId: string): Promise<void> {
  await sql`
    insert into canaries (batch_id, lane, payout_ids, last_line)
    select b.id, l.lane, f.ids, f.last_line
    from batches b join batch_lanes l on l.batch_id = b.id,
      lateral (select array_agg(id) as ids, max(line) as last_line from (
        select id, line from payouts where batch_id = b.id and lane = l.lane and state = 'approved'
        order by line limit b.canary) p) f
    where b.id = ${batchId} and b.canary between 1 and l.rows - 1`.execute(transaction);
}
