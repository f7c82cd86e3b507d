import { sql } from "kysely";
import type { LaneDay } from "#ledger/reconciliation/day-figures.ts";
import type { Database } from "#ledger/store/database.ts";
import type { ComparedDay } from "#ledger/reconciliation/store-breaks.ts";

/**
 * Stores which payouts count on a day although they settled on the day before or after: those that
 * its comparison found, and no others. A change reopens both days.
 *
 * @param compared the payouts that were compared. Null: all payouts.
 */
export async function storeCountedDays(
  transaction: Database,
  { lane, day, statementId }: Pick<ComparedDay, "lane" | "day" | "statementId">,
  {
    found,
    compared,
  }: { readonly found: readonly number[]; readonly compared: readonly number[] | null },
): Promise<void> {
  const ids = sql`${[...found]}::bigint[]`;
  const ofPayouts = compared ? sql`and c.payout_id = any (${[...compared]}::bigint[])` : sql``;
  await sql`
    update counted_days c set ended_at = now()
    from payouts p
    where p.id = c.payout_id and c.ended_at is null
      and (c.lane = ${lane} and c.day = ${day}::date and not c.payout_id = any (${ids}) ${ofPayouts}
        or c.payout_id = any (${ids}) and (c.day <> ${day}::date or c.settled_at <> p.settled_at))`.execute(
    transaction,
  );
  await sql`
    insert into counted_days (payout_id, lane, day, settled_at, statement_id)
    select p.id, p.lane, ${day}::date, p.settled_at, ${statementId}
    from payouts p
    where p.id = any (${ids}) and p.settled_at is not null
      and not exists (select from counted_days c where c.payout_id = p.id and c.ended_at is null)
    order by p.id`.execute(transaction);
}

/** Numbers of payouts that count on another day than that of their settlement. */
export interface CountedElsewhere {
  /** They settled on the day, and count on the day before or after. */
  readonly out: number;
  /** They count on the day, and settled on the day before or after. */
  readonly in: number;
}

/** Counts the payouts that settled on a day and count on another one, and the reverse. */
export async function findCountedElsewhere(
  database: Database,
  { lane, day, startsAt, endsAt }: LaneDay,
): Promise<CountedElsewhere> {
  const { rows } = await sql<CountedElsewhere>`
    select (count(*) filter (where c.day <> ${day}::date and settled_on_day))::integer as out,
      (count(*) filter (where c.day = ${day}::date and not settled_on_day))::integer as in
    from counted_days c
      join payouts p on p.id = c.payout_id and p.settled_at = c.settled_at
      cross join lateral (select p.settled_at >= ${startsAt} and p.settled_at < ${endsAt} as settled_on_day) s
    where c.lane = ${lane} and c.ended_at is null
      and c.day between ${day}::date - 2 and ${day}::date + 2`.execute(database);
  return rows[0] ?? { out: 0, in: 0 };
}
