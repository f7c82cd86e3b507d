import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { add, type Money } from "#money/money.ts";

/** Number and sum of rows in one lane. */
export interface LaneSum {
  readonly lane: string;
  readonly rows: number;
  readonly total: Money;
  readonly largest: bigint;
}

/** Returns the sum of a lane with one more row. Undefined: it has none so far. */
export const sumWith = (sum: LaneSum | undefined, lane: string, money: Money): LaneSum => ({
  lane,
  rows: (sum?.rows ?? 0) + 1,
  total: sum ? add(sum.total, money) : money,
  largest: sum && sum.largest > money.minor ? sum.largest : money.minor,
});

/**
 * Adds the totals of the rows to the totals of the batch.
 *
 * @throws Error if they are counted in another minor unit: a currency may have a different number
 * of digits in a later version.
 */
export async function addToLanes(
  transaction: Database,
  batchId: string,
  lanes: readonly LaneSum[],
): Promise<void> {
  for (const { lane, rows, total, largest } of lanes) {
    const { numAffectedRows } = await sql`
      insert into batch_lanes as l (batch_id, lane, currency, minor_digits, rows, total_minor, largest_minor)
      values (${batchId}, ${lane}, ${total.currency}, ${total.minorDigits}, ${rows}, ${total.minor.toString()},
        ${largest.toString()})
      on conflict (batch_id, lane) do update
      set rows = l.rows + excluded.rows, total_minor = l.total_minor + excluded.total_minor,
        largest_minor = greatest(l.largest_minor, excluded.largest_minor)
      where l.currency = excluded.currency and l.minor_digits = excluded.minor_digits`.execute(
      transaction,
    );
    if (numAffectedRows !== 1n) {
      throw new Error(`batch ${batchId} counts lane ${lane} in a different unit than its new rows`);
    }
  }
}

/** Returns the totals of a batch as the audit log records them: minor units, per lane. */
export async function laneTotals(
  database: Database,
  batchId: string,
): Promise<Readonly<Record<string, string>>> {
  const lanes = await database
    .selectFrom("batch_lanes")
    .select(["lane", "total_minor"])
    .where("batch_id", "=", batchId)
    .orderBy("lane")
    .execute();
  return Object.fromEntries(lanes.map(({ lane, total_minor: minor }) => [lane, minor]));
}

/** Counts the totals of a batch again from its payouts. */
export async function countLanes(transaction: Database, batchId: string): Promise<void> {
  await sql`
    with counted as materialized (
      select l.lane, count(p.id)::int as rows, sum(p.amount_minor) as total, max(p.amount_minor) as largest
      from batches b join batch_lanes l on l.batch_id = b.id
      left join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id and p.lane = l.lane
      where b.id = ${batchId}
      group by l.lane
    ), emptied as (
      delete from batch_lanes
      where batch_id = ${batchId} and lane in (select lane from counted where rows = 0)
    )
    update batch_lanes l set rows = c.rows, total_minor = c.total, largest_minor = c.largest
    from counted c where l.batch_id = ${batchId} and l.lane = c.lane and c.rows > 0`.execute(
    transaction,
  );
}
