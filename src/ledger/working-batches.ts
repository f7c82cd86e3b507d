import { sql } from "kysely";
import type { Priority } from "#batch/priority.ts";
import type { Database } from "#ledger/database.ts";
import { priorityRank } from "#ledger/priority.ts";
import { WAITS } from "#ledger/sendings.ts";
import { AT_GATEWAY } from "#ledger/tables.ts";

/** A batch that still has something to send or to follow. */
export interface WorkingBatch {
  readonly id: string;
  readonly lanes: readonly string[];
  /** Nothing of it is sent, or not yet; what was sent is still followed. */
  readonly paused: boolean;
  /** What comes back unsent is to be cancelled. */
  readonly cancelling: boolean;
  readonly priority: Priority;
  /** It pays again what was declined in another one. */
  readonly isRemainder: boolean;
  /** Of what was sent something is due: a question, or a lease that has run out. */
  readonly isDue: boolean;
  /** All of it was sent, and nothing of it is due: there is nothing to do but to wait for the gateway. */
  readonly isAtRest: boolean;
}

/** By priority, and the oldest approval first. */
export async function workingBatches(database: Database): Promise<WorkingBatch[]> {
  const { rows } = await sql<WorkingBatch>`
    select b.id, b.state = 'paused' or ${WAITS} as paused, b.cancelling, b.priority, array_agg(l.lane order by l.lane) as lanes,
      exists (select from remainders where batch_id = b.id) as "isRemainder",
      coalesce(bool_or(a.due_at <= now()), false) as "isDue",
      bool_and(s.is_there is null and (a.due_at > now()) is not false) and bool_or(a.due_at is not null) as "isAtRest"
    from batches b join batch_lanes l on l.batch_id = b.id
    left join lateral (select true as is_there from payouts where batch_id = b.id and lane = l.lane and state = 'approved'
      order by line limit 1) s on true
    left join lateral (select due_at from payouts where batch_id = b.id and lane = l.lane and ${AT_GATEWAY}
      order by due_at limit 1) a on true
    where b.state in ('approved', 'paused')
      -- One that waits for its time is no work, but where a lost history of the ledger has sent something of it.
      and (b.cancelling or not ${WAITS}
        or exists (select from payouts where batch_id = b.id and ${AT_GATEWAY} limit 1))
    group by b.id order by ${priorityRank("b")}, b.approved_at`.execute(database);
  return rows;
}
