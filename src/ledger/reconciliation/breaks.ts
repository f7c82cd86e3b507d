import { sql } from "kysely";
import { batchTitle } from "#ledger/intake/title/batch-title.ts";
import type { Database } from "#ledger/store/database.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";

/** `closed`: a later comparison or statement no longer shows the difference. */
export type BreakState = "open" | "proposed" | "resolved" | "closed";

/** A break, with the proposal that waits for confirmation. */
export interface Break {
  readonly id: number;
  readonly lane: string;
  /** "2026-11-26" */
  readonly day: string;
  readonly class: BreakClass;
  /** The transaction code; "" or CLOSING_BALANCE for the balance. */
  readonly code: string;
  /** Whether the ledger has a payout with this code. */
  readonly hasPayout: boolean;
  /** The payout in the ledger. Null: there is none, as for the three values below. */
  readonly payoutId: number | null;
  readonly batchId: string | null;
  readonly batchName: string | null;
  readonly settledAt: Date | null;
  /** The first lines of the statement that show it. Empty: it does not contain the code. */
  readonly lines: readonly number[];
  readonly ledgerShows: string | null;
  readonly statementShows: string | null;
  readonly state: BreakState;
  readonly version: number;
  /** The user that works on it. Null: not assigned. */
  readonly assignee: string | null;
  readonly foundAt: Date;
  /** Null: it is about a balance that was not on a statement. */
  readonly fileName: string | null;
  /** The proposal that waits for confirmation, or the confirmed one. Null: there is none. */
  readonly proposalId: number | null;
  readonly explanation: string | null;
  readonly proposedBy: string | null;
  /** "alone": one person resolved it, because nobody could confirm. */
  readonly outcome: "agreed" | "alone" | null;
  readonly decidedBy: string | null;
}

const SELECTED = sql`
    select b.id, b.lane, b.day::text as day, b.class, b.code, b.lines, b.payout_id is not null as "hasPayout",
      b.payout_id as "payoutId", p.batch_id as "batchId", ${batchTitle("t")} as "batchName",
      p.settled_at as "settledAt",
      b.ledger_shows as "ledgerShows", b.statement_shows as "statementShows", b.state, b.version,
      b.assignee, b.found_at as "foundAt", s.file_name as "fileName", r.id as "proposalId", r.explanation,
      r.proposed_by as "proposedBy", r.outcome, r.decided_by as "decidedBy"
    from breaks b left join statements s on s.id = b.statement_id
      left join payouts p on p.id = b.payout_id left join batches t on t.id = p.batch_id
      left join break_resolutions r on r.break_id = b.id and r.version = b.version and case b.state
        when 'proposed' then r.outcome is null
        when 'resolved' then r.outcome in ('agreed', 'alone')
        else false end`;

export interface BreakFilter {
  readonly lane?: string | undefined;
  readonly day?: string | undefined;
  readonly class?: BreakClass | undefined;
  /** Absent: open and proposed. */
  readonly state?: BreakState | undefined;
  readonly assignee?: string | undefined;
  /** Only breaks with a higher ID, for the next page. */
  readonly after?: number | undefined;
}

/** Selects the breaks of a filter, without its class. */
const filtered = ({ lane, day, state, assignee }: BreakFilter) => sql`
      (${lane ?? null}::text is null or b.lane = ${lane ?? null}::text)
      and (${day ?? null}::date is null or b.day = ${day ?? null}::date)
      and (${assignee ?? null}::text is null or b.assignee = ${assignee ?? null}::text)
      and case when ${state ?? null}::text is null then b.state in ('open', 'proposed')
        else b.state = ${state ?? null}::text end`;

/** Selects the breaks of a filter. */
export const isInFilter = (filter: BreakFilter) => sql`
      (${filter.class ?? null}::text is null or b.class = ${filter.class ?? null}::text)
      and ${filtered(filter)}`;

/** Returns breaks in the order in which they were found. */
export async function findBreaks(
  database: Database,
  filter: BreakFilter & { readonly limit: number },
): Promise<Break[]> {
  const { after = 0, limit } = filter;
  const { rows } = await sql<Break>`
    ${SELECTED}
    where b.id > ${after} and ${isInFilter(filter)}
    order by b.id
    limit ${limit}`.execute(database);
  return rows;
}

/** Returns the breaks with these IDs, in the order of the IDs. */
export async function findBreaksById(database: Database, ids: readonly number[]): Promise<Break[]> {
  const { rows } = await sql<Break>`
    ${SELECTED} where b.id = any (${[...ids]}::bigint[]) order by b.id`.execute(database);
  return rows;
}

/** Returns one break. Null: there is none with this ID. */
export async function findBreak(database: Database, id: number): Promise<Break | null> {
  const { rows } = await sql<Break>`${SELECTED} where b.id = ${id}`.execute(database);
  return rows[0] ?? null;
}

/** Number of breaks of one class. */
export interface BreakCount {
  readonly class: BreakClass;
  readonly count: number;
}

/** Counts the breaks of a filter by class, whatever the class of the filter. */
export async function countBreaks(database: Database, filter: BreakFilter): Promise<BreakCount[]> {
  const { rows } = await sql<BreakCount>`
    select b.class, count(*)::integer as count
    from breaks b
    where ${filtered(filter)}
    group by b.class
    order by b.class`.execute(database);
  return rows;
}

/** One event in the life of a break. */
export interface BreakEvent {
  readonly event:
    | "found"
    | "changed"
    | "closed"
    | "found_again"
    | "assigned"
    | "commented"
    | "proposed"
    | "refused"
    | "resolved";
  readonly actor: string;
  /** A comment, an explanation or the assignee; "" for none. */
  readonly text: string;
  readonly at: Date;
}

/** Returns the events of a break, oldest first. */
export async function findBreakEvents(database: Database, id: number): Promise<BreakEvent[]> {
  const { rows } = await sql<BreakEvent>`
    select event, actor, text, at from break_events where break_id = ${id} order by id`.execute(
    database,
  );
  return rows;
}
