import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Number of deposits in one state, and the time of the oldest. */
export interface DepositCount {
  readonly count: number;
  readonly oldestAt: Date | null;
}

/** Counts the deposits whose result is unknown, and those that a person must decide about. */
export async function countOpenDeposits(
  database: Database,
): Promise<Readonly<Record<"in_doubt" | "manual", DepositCount>>> {
  const { rows } = await sql<{ state: "in_doubt" | "manual"; count: number; oldest: Date | null }>`
    select state, count(*)::int as count, min(updated_at) as oldest
    from deposits where state in ('in_doubt', 'manual') group by state`.execute(database);
  const heap = (wanted: "in_doubt" | "manual"): DepositCount => {
    const found = rows.find(({ state }) => state === wanted);
    return { count: found?.count ?? 0, oldestAt: found?.oldest ?? null };
  };
  return { in_doubt: heap("in_doubt"), manual: heap("manual") };
}
