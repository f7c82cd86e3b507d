import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/lifecycle.ts";

/** How many payouts of the batch are in which state, and what they come to. */
export interface Progress {
  readonly state: PayoutState;
  readonly lane: string;
  readonly count: number;
  readonly sum: Money;
}

export async function progressOf(database: Database, batchId: string): Promise<Progress[]> {
  const { rows } = await sql<{
    state: PayoutState;
    lane: string;
    currency: string;
    minor_digits: number;
    count: number;
    sum: string;
  }>`
    select p.state, p.lane, p.currency, p.minor_digits, count(*)::int as count, sum(p.amount_minor) as sum
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    where b.id = ${batchId}
    group by 1, 2, 3, 4 order by 3, 1`.execute(database);
  return rows.map(({ state, lane, currency, minor_digits, count, sum }) => ({
    state,
    lane,
    count,
    sum: { currency, minor: BigInt(sum), minorDigits: minor_digits },
  }));
}
