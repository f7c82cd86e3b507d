import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakEvent, BreakState } from "#ledger/reconciliation/breaks.ts";

/** Records an event in the life of a break. */
export async function recordBreakEvent(
  transaction: Database,
  {
    id,
    event,
    actor,
    text,
    mentions = null,
  }: {
    readonly id: number;
    /** IDs of the users whom a comment mentions. */
    readonly mentions?: readonly string[] | null;
  } & Omit<BreakEvent, "at">,
): Promise<void> {
  await sql`
    insert into break_events (break_id, event, actor, text, mentions)
    values (${id}, ${event}, ${actor}, ${text}, ${mentions && [...mentions]})`.execute(transaction);
}

/** Assigns an unresolved break to a user, or to nobody. Returns false if it is not unresolved. */
export async function assignBreak(
  transaction: Database,
  id: number,
  assignee: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    update breaks set assignee = ${assignee}
    where id = ${id} and state in ('open', 'proposed') returning id`.execute(transaction);
  return rows.length === 1;
}

/** Changes the state of a break. Returns false if it has another state or version. */
export async function moveBreak(
  transaction: Database,
  {
    id,
    version,
    from,
    to,
  }: {
    readonly id: number;
    readonly version: number;
    readonly from: readonly BreakState[];
    readonly to: BreakState;
  },
): Promise<boolean> {
  const { rows } = await sql`
    update breaks set state = ${to}
    where id = ${id} and version = ${version} and state = any (${[...from]}::text[])
    returning id`.execute(transaction);
  return rows.length === 1;
}

/** A proposed explanation of one version of a break. */
export interface BreakProposal {
  readonly id: number;
  readonly version: number;
  readonly explanation: string;
  readonly proposedBy: string;
}

/** Stores a proposal in place of the previous one. Returns the number of the proposal. */
export async function insertBreakResolution(
  transaction: Database,
  { id, version, explanation, proposedBy }: BreakProposal,
): Promise<number> {
  // The lock makes simultaneous proposals wait for each other.
  await sql`select from breaks where id = ${id} for update`.execute(transaction);
  await sql`
    update break_resolutions set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = now()
    where break_id = ${id} and outcome is null`.execute(transaction);
  const { rows } = await sql<{ id: number }>`
    insert into break_resolutions (break_id, version, explanation, proposed_by, at)
    values (${id}, ${version}, ${explanation}, ${proposedBy}, now()) returning id`.execute(
    transaction,
  );
  const [row] = rows;
  if (!row) throw new Error("the proposal was not inserted");
  return row.id;
}

/** Returns the proposal that waits for confirmation. Null: there is none. */
export async function findBreakResolution(
  database: Database,
  id: number,
  version: number,
): Promise<{ readonly id: number; readonly explanation: string } | null> {
  const { rows } = await sql<{ id: number; explanation: string }>`
    select id, explanation from break_resolutions
    where break_id = ${id} and version = ${version} and outcome is null`.execute(database);
  return rows[0] ?? null;
}
