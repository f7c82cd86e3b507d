import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A lane with its statements, its closed days and its unresolved breaks. */
export interface ReconciledLane {
  readonly lane: string;
  /** The first day to close, and the zone of the days. Null: the lane has no opening balance. */
  readonly firstDay: string | null;
  readonly zone: string | null;
  /** The newest statement that counts. Null: there is none. */
  readonly statement: {
    readonly day: string;
    readonly fileName: string;
    readonly isCompared: boolean;
  } | null;
  /** The first statement with balances. Null: there is none. */
  readonly opening: {
    readonly day: string;
    readonly fileName: string;
    readonly minor: string;
    readonly minorDigits: number;
  } | null;
  /** Number of days that are closed now, and the last closed day. */
  readonly closedDays: number;
  readonly lastClosedDay: string | null;
  readonly unresolvedBreaks: number;
}

/** Returns how far each of these lanes is reconciled, in their order. */
export async function findReconciledLanes(
  database: Database,
  lanes: readonly string[],
): Promise<ReconciledLane[]> {
  const { rows } = await sql<ReconciledLane>`
    select l.lane, o.day::text as "firstDay", o.zone, newest.statement, first.opening,
      closed.days as "closedDays", closed.last::text as "lastClosedDay",
      (select count(*)::integer from breaks b
        where b.lane = l.lane and b.state in ('open', 'proposed')) as "unresolvedBreaks"
    from unnest(${[...lanes]}::text[]) with ordinality l (lane, at)
      left join opening_balances o on o.lane = l.lane
      left join lateral (
        select json_build_object('day', s.day, 'fileName', s.file_name,
          'isCompared', s.compared_at is not null) as statement
        from statements s where s.lane = l.lane and s.state = 'current'
        order by s.day desc limit 1) newest on true
      left join lateral (
        select json_build_object('day', s.day, 'fileName', s.file_name,
          'minor', s.opening_minor::text, 'minorDigits', s.minor_digits) as opening
        from statements s
        where s.lane = l.lane and s.state = 'current' and s.opening_minor is not null
        order by s.day limit 1) first on true
      cross join lateral (
        select count(*)::integer as days, max(n.day) as last
        from (select distinct on (c.day) c.id, c.day from day_closes c
          where c.lane = l.lane order by c.day, c.version desc) n
        where not exists (select from day_reopenings r where r.close_id = n.id)) closed
    order by l.at`.execute(database);
  return rows;
}
