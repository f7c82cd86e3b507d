import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Breaks in one state, and when the first of them was found. */
export interface WaitingBreaks {
  readonly count: number;
  readonly oldestAt: Date | null;
}

/** Counts the breaks that nobody has proposed to resolve. */
export async function countOpenBreaks(database: Database): Promise<WaitingBreaks> {
  const { rows } = await sql<WaitingBreaks>`
    select count(*)::integer as count, min(found_at) as "oldestAt" from breaks
    where state = 'open'`.execute(database);
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Counts the proposed resolutions of breaks by the person who proposed them. */
export async function countProposedBreaks(
  database: Database,
): Promise<(WaitingBreaks & { readonly proposedBy: string })[]> {
  const { rows } = await sql<WaitingBreaks & { proposedBy: string }>`
    select r.proposed_by as "proposedBy", count(*)::integer as count, min(b.found_at) as "oldestAt"
    from breaks b
      join break_resolutions r on r.break_id = b.id and r.version = b.version and r.outcome is null
    where b.state = 'proposed'
    group by r.proposed_by`.execute(database);
  return rows;
}

/** The next day of a lane to close, without the time of its end. */
export interface DayToDo {
  readonly lane: string;
  readonly day: string;
  readonly zone: string;
  /** The business day of its statement. Null: there is none. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/**
 * Returns the next day of each lane with an opening balance: the first reopened day, or the day
 * after the last closed one. Days with a statement that is not compared or waits for an approver
 * are left out.
 */
export async function findDaysToDo(database: Database): Promise<DayToDo[]> {
  const { rows } = await sql<DayToDo>`
    select next.lane, next.day::text as day, next.zone, s.starts_at as "startsAt", s.ends_at as "endsAt"
    from (
      select o.lane, o.zone, coalesce(
        (select min(c.day) from day_closes c
          where c.lane = o.lane and exists (select from day_reopenings r where r.close_id = c.id)
            and not exists (select from day_closes n
              where n.lane = c.lane and n.day = c.day and n.version > c.version)),
        (select max(day) + 1 from day_closes where lane = o.lane),
        o.day) as day
      from opening_balances o
    ) next left join statements s on s.lane = next.lane and s.day = next.day and s.state = 'current'
    where not exists (select from statements waiting
      where waiting.lane = next.lane and waiting.day = next.day
        and (waiting.state = 'proposed' or waiting.state = 'current' and waiting.compared_at is null))
    order by next.day, next.lane`.execute(database);
  return rows;
}
