import { sql } from "kysely";
import {
  getBreakAction,
  type StoredBreakAction,
} from "#ledger/reconciliation/bulk/break-actions.ts";
import type { Database } from "#ledger/store/database.ts";
import type { BreakLeftReason } from "#reconciliation/break-action.ts";

/** A place in the list of applied actions. */
export interface AppliedPlace {
  readonly at: Date;
  readonly id: string;
}

/** Returns applied actions, newest first. */
export async function listAppliedBreakActions(
  database: Database,
  { after, limit }: { readonly after: AppliedPlace | null; readonly limit: number },
): Promise<StoredBreakAction[]> {
  const { rows } = await sql<{ id: string }>`
    select id from break_actions
    where applied_at is not null and (${after === null}
      or (applied_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::text))
    order by applied_at desc, id desc limit ${limit}`.execute(database);
  return Promise.all(rows.map(({ id }) => getBreakAction(database, id)));
}

/** The input of the person who applied an action, from its line on the audit log. */
export interface AppliedInput {
  /** Of an assignment: "user:ID", or "" for nobody. Absent: another action. */
  readonly assignee?: string;
  /** Of a proposal. Absent: another action. */
  readonly explanation?: string;
}

/** Returns the input of an applied action. */
export async function findAppliedInput(database: Database, id: string): Promise<AppliedInput> {
  const { rows } = await sql<{ facts: string }>`
    select facts from audit
    where object = ${id} and action = 'apply_break_action' limit 1`.execute(database);
  return rows[0] ? (JSON.parse(rows[0].facts) as AppliedInput) : {};
}

/** A selected break of an action. */
export interface ActionBreak {
  readonly id: number;
  /** At the time of the preview. */
  readonly version: number;
  /** `qualifies`: the action was not applied. */
  readonly outcome: "qualifies" | "changed" | BreakLeftReason;
}

/** Returns the selected breaks of an action, by their numbers. */
export async function listActionBreaks(
  database: Database,
  { id, after, limit }: { readonly id: string; readonly after: number; readonly limit: number },
): Promise<ActionBreak[]> {
  const { rows } = await sql<ActionBreak>`
    select selected.break_id as id, selected.version,
      coalesce(selected.excluded, o.outcome, 'qualifies') as outcome
    from break_action_rows selected left join break_action_outcomes o
      on o.action_id = selected.action_id and o.break_id = selected.break_id
    where selected.action_id = ${id} and selected.break_id > ${after}
    order by selected.break_id limit ${limit}`.execute(database);
  return rows;
}
