import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakEventRow, KnownBreak } from "./model.ts";

/** All breaks at one time, while no step changes any. */
export interface Snapshot {
  readonly breaks: ReadonlyMap<number, KnownBreak>;
  /** The number of the last event. */
  readonly event: number;
}

/** Reads all breaks in one statement. */
export async function snapshotOf(database: Database): Promise<Snapshot> {
  const { rows } = await sql<KnownBreak & { readonly event: number }>`
    select b.id, b.lane, b.day::text as day, b.class, b.state, b.version, b.assignee,
      b.ledger_shows as "ledgerShows", b.statement_shows as "statementShows",
      (select json_build_object('id', r.id, 'by', r.proposed_by) from break_resolutions r
        where r.break_id = b.id and r.version = b.version and r.outcome is null) as proposal,
      (select coalesce(max(id), 0) from break_events) as event
    from breaks b order by b.id`.execute(database);
  return {
    breaks: new Map(rows.map((each) => [each.id, each])),
    event: rows[0]?.event ?? 0,
  };
}

/** Reads the events since a snapshot. Those of one break are in their order. */
export async function eventsSince(database: Database, event: number): Promise<BreakEventRow[]> {
  const { rows } = await sql<BreakEventRow>`
    select id, break_id as "breakId", event, actor, text from break_events
    where id > ${event} order by id`.execute(database);
  return rows;
}

/** The records of an applied action. */
export interface Kept {
  readonly outcomes: ReadonlyMap<number, string>;
  /** The facts of its lines on the audit log. */
  readonly lines: readonly AuditFacts[];
  /** The decided proposals, by break. */
  readonly decided: ReadonlyMap<number, { readonly outcome: string | null; readonly by: string }>;
}

/** The facts of a line about an action. */
export interface AuditFacts {
  readonly action: string;
  readonly breaks: readonly (readonly number[])[];
  readonly kinds: readonly {
    readonly class: string;
    readonly count: number;
    readonly differences: readonly { readonly currency: string; readonly amount: string }[];
  }[];
  readonly left: readonly { readonly reason: string; readonly count: number }[];
}

/** Reads what the database keeps about an action. */
export async function keptOf(
  database: Database,
  id: string,
  proposals: readonly number[],
): Promise<Kept> {
  const outcomes = await sql<{ id: number; outcome: string }>`
    select break_id as id, outcome from break_action_outcomes where action_id = ${id}`.execute(
    database,
  );
  const lines = await sql<{ facts: string }>`
    select facts from audit where object = ${id} order by seq`.execute(database);
  const decided = await sql<{ id: number; outcome: string | null; by: string }>`
    select break_id as id, outcome, coalesce(decided_by, '') as by from break_resolutions
    where id = any (${[...proposals]}::bigint[])`.execute(database);
  return {
    outcomes: new Map(outcomes.rows.map(({ id: number, outcome }) => [number, outcome])),
    lines: lines.rows.map(({ facts }) => JSON.parse(facts) as AuditFacts),
    decided: new Map(decided.rows.map(({ id: number, ...rest }) => [number, rest])),
  };
}
