import { sql } from "kysely";
import type { Priority } from "#payout/priority.ts";
import type { Database } from "#ledger/store/database.ts";
import { priorityRank } from "#ledger/payout/lane/priority.ts";
import { IS_WAITING } from "#ledger/schedule/send-times.ts";
import { AT_GATEWAY } from "#ledger/store/tables.ts";

/** A batch with payouts to send or to follow. */
export interface WorkingBatch {
  readonly id: string;
  readonly lanes: readonly string[];
  /** True: no payout is sent, or not yet. Payouts that were sent are still followed. */
  readonly paused: boolean;
  /** True: payouts that come back unsent are to be cancelled. */
  readonly cancelling: boolean;
  readonly priority: Priority;
  /** True: it pays declined payouts of another batch again. */
  readonly isRemainder: boolean;
  /** True: a payout at the gateway has due work, either a status query or an expired lease. */
  readonly isDue: boolean;
  /** True: all payouts were sent and none has due work, so the batch only waits for the gateway. */
  readonly isAtRest: boolean;
}

/** Returns the batches by priority, then oldest approval first. */
export async function workingBatches(database: Database): Promise<WorkingBatch[]> {
  const { rows } = await sql<WorkingBatch>`
    select b.id, b.state = 'paused' or ${IS_WAITING} as paused, b.cancelling, b.priority, array_agg(l.lane order by l.lane) as lanes,
      exists (select from retry_batches where batch_id = b.id) as "isRemainder",
      coalesce(bool_or(a.due_at <= now()), false) as "isDue",
      bool_and(s.is_there is null and (a.due_at > now()) is not false) and bool_or(a.due_at is not null) as "isAtRest"
    from batches b join batch_lanes l on l.batch_id = b.id
    left join lateral (select true as is_there from payouts where batch_id = b.id and lane = l.lane and state = 'approved'
      order by line limit 1) s on true
    left join lateral (select due_at from payouts where batch_id = b.id and lane = l.lane and ${AT_GATEWAY}
      order by due_at limit 1) a on true
    where b.state in ('approved', 'paused')
      -- One that waits for its time is no work, but where a lost history of the ledger has sent something of it.
      and (b.cancelling or not ${IS_WAITING}
        or exists (select from payouts where batch_id = b.id and ${AT_GATEWAY} limit 1))
    group by b.id order by ${priorityRank("b")}, b.approved_at`.execute(database);
  return rows;
}
