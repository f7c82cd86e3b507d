import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A period. A missing end is open; `to` is exclusive. */
export interface Between {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Returns the conditions that a time lies within the period. */
export const timeWithin = (
  column: RawBuilder<unknown>,
  { from, to }: Between,
): RawBuilder<unknown>[] => [
  ...(from ? [sql`${column} >= ${from}`] : []),
  ...(to ? [sql`${column} < ${to}`] : []),
];

/** Returns the conditions that payout `p` was settled within the period. */
export const settledWithin = (between: Between): readonly RawBuilder<unknown>[] => [
  sql`p.settled_at is not null`,
  ...timeWithin(sql`p.settled_at`, between),
];

const FEW = 5_000;

/**
 * Returns the ids of the payouts that were settled within the period, as the text of an array, or
 * null if there are more than FEW. PostgreSQL assumes that they are spread evenly over the table.
 * After a short period long ago, it would read every newer payout.
 */
export async function findFewSettled(database: Database, between: Between): Promise<string | null> {
  const { rows } = await sql<{ ids: string; count: number }>`
    select coalesce(array_agg(id), '{}')::text as ids, count(*)::int as count
    from (select p.id from payouts p where ${sql.join(settledWithin(between), sql` and `)}
      limit ${sql.lit(FEW + 1)}) found`.execute(database);
  const [found] = rows;
  return found && found.count <= FEW ? found.ids : null;
}
