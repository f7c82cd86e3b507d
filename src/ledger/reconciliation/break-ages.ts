import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";

/** Unresolved breaks of one class by the time since they were first found. */
export interface BreakAges {
  readonly class: BreakClass;
  readonly count: number;
  readonly within1Day: number;
  /** Longer than one day ago. */
  readonly within7Days: number;
  /** Longer than seven days ago. */
  readonly within30Days: number;
  readonly older: number;
  readonly oldestAt: Date;
}

/** Counts the unresolved breaks by class and age. Null: any lane or currency. */
export async function countBreakAges(
  database: Database,
  { lane, currency }: { readonly lane: string | null; readonly currency: string | null },
): Promise<BreakAges[]> {
  const { rows } = await sql<BreakAges>`
    select class, count(*)::integer as count,
      count(*) filter (where age <= interval '1 day')::integer as "within1Day",
      count(*) filter (where age > interval '1 day' and age <= interval '7 days')::integer as "within7Days",
      count(*) filter (where age > interval '7 days' and age <= interval '30 days')::integer as "within30Days",
      count(*) filter (where age > interval '30 days')::integer as older,
      min(found_at) as "oldestAt"
    from (select class, found_at, now() - found_at as age from breaks
      where state in ('open', 'proposed')
        and (${lane}::text is null or lane = ${lane}::text)
        and (${currency}::text is null or lane like '%/' || ${currency}::text)) unresolved
    group by class
    order by class`.execute(database);
  return rows;
}
