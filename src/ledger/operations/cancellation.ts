import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** The order that cancelled a batch or its unsent payouts. */
export interface Cancellation {
  readonly actor: string;
  readonly reason: string | null;
  readonly at: string;
}

/** Returns the latest order that cancelled payouts of the batch; null if there was none. */
export async function findCancellation(
  database: Database,
  batchId: string,
): Promise<Cancellation | null> {
  const { rows } = await sql<Cancellation>`
    select actor, at, facts::json ->> 'reason' as reason
    from audit
    where object = ${batchId} and action in ('cancel', 'cancel_rest')
    order by seq desc limit 1`.execute(database);
  return rows[0] ?? null;
}
