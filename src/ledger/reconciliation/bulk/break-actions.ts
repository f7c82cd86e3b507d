import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakAction, BreakLeftReason } from "#reconciliation/break-action.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";

/** Number of breaks that an action leaves as they are, for one reason. */
export interface LeftBreaks {
  readonly reason: BreakLeftReason;
  readonly count: number;
}

/** Breaks of one class, with the sums of their differences as exact decimals. */
export interface StoredKind {
  readonly class: BreakClass;
  readonly count: number;
  readonly differences: readonly { readonly currency: string; readonly amount: string }[];
}

/** An action on several breaks, from its preview on. */
export interface StoredBreakAction {
  readonly id: string;
  readonly action: BreakAction;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** SHA-256 of the list of qualifying breaks: see digestOf. */
  readonly digest: string;
  readonly selected: number;
  readonly qualifying: readonly StoredKind[];
  readonly excluded: readonly LeftBreaks[];
  /** Null: nothing has changed yet, as for the two values below. */
  readonly appliedAt: Date | null;
  readonly changed: number | null;
  readonly left: readonly LeftBreaks[] | null;
}

/** A break in the list of an action. */
export interface ListedBreak {
  readonly id: number;
  readonly version: number;
  /** The proposal that waits for a decision. Null: none waits. */
  readonly proposal: number | null;
}

/** Returns the number and version of a break and, for a decision, the number of the proposal. */
export const listedBreak = (
  action: BreakAction,
  { id, version, proposal }: ListedBreak,
): readonly number[] =>
  action === "confirm" || action === "reject" ? [id, version, proposal ?? 0] : [id, version];

/** Returns the SHA-256 of a list of breaks: one line for each, in the order of their numbers. */
export const digestOf = (action: BreakAction, breaks: readonly ListedBreak[]): string =>
  createHash("sha256")
    .update(breaks.map((each) => listedBreak(action, each).join(" ")).join("\n"))
    .digest("hex");

/** The list of an action of an earlier payrun, which did not store the digest. */
const LISTED = sql`
    select string_agg(concat_ws(' ', listed.break_id, listed.version,
      case when a.action in ('confirm', 'reject') then listed.proposal end),
      E'\n' order by listed.break_id)
    from break_action_rows listed where listed.action_id = a.id and listed.excluded is null`;

const COLUMNS = sql`a.id, a.action, a.created_by as "createdBy", a.created_at as "createdAt",
  a.expires_at as "expiresAt", a.selected, a.qualifying, a.excluded, a.applied_at as "appliedAt",
  a.changed, a.left_out as left,
  coalesce(a.digest, encode(sha256(convert_to(coalesce((${LISTED}), ''), 'UTF8')), 'hex')) as digest`;

/** Returns an action and locks it, so that others who apply it wait. Null: there is none. */
export async function lockBreakAction(
  transaction: Database,
  id: string,
): Promise<StoredBreakAction | null> {
  const { rows } = await sql<StoredBreakAction>`
    select ${COLUMNS} from break_actions a where a.id = ${id} for update`.execute(transaction);
  return rows[0] ?? null;
}

/** Returns an action. Null: there is none with this ID. */
export async function findBreakAction(
  database: Database,
  id: string,
): Promise<StoredBreakAction | null> {
  const { rows } = await sql<StoredBreakAction>`
    select ${COLUMNS} from break_actions a where a.id = ${id}`.execute(database);
  return rows[0] ?? null;
}

/** @throws Error if there is no action with this ID. */
export async function getBreakAction(database: Database, id: string): Promise<StoredBreakAction> {
  const action = await findBreakAction(database, id);
  if (!action) throw new Error(`there is no action ${id}`);
  return action;
}

/** A proposed explanation that an action decides about, and of how many breaks. */
export interface DecidedExplanation {
  readonly explanation: string;
  readonly proposedBy: string;
  readonly count: number;
}

/** Returns the explanations of the breaks to which an action applies. */
export async function findDecidedExplanations(
  database: Database,
  id: string,
): Promise<DecidedExplanation[]> {
  const { rows } = await sql<DecidedExplanation>`
    select r.explanation, r.proposed_by as "proposedBy", count(*)::integer as count
    from break_action_rows previewed join break_resolutions r on r.id = previewed.proposal
    where previewed.action_id = ${id} and previewed.excluded is null
    group by 1, 2 order by 3 desc, 1`.execute(database);
  return rows;
}

/**
 * Deletes the oldest preview that nobody applied and that expired a day ago. It has changed
 * nothing, so the audit log contains neither it nor its deletion. Returns whether there was one.
 */
export async function deleteUnusedBreakPreview(transaction: Database): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    delete from break_actions where id = (
      select id from break_actions
      where applied_at is null and expires_at < now() - interval '1 day'
      order by expires_at limit 1 for update skip locked)
    returning id`.execute(transaction);
  const [deleted] = rows;
  if (!deleted) return false;
  await sql`delete from break_action_rows where action_id = ${deleted.id}`.execute(transaction);
  return true;
}
