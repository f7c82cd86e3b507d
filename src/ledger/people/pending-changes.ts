import { sql } from "kysely";
import { newId } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { refusalIn } from "#ledger/store/database-errors.ts";

/** A change that one admin has proposed and another must confirm. */
export interface PendingChange {
  readonly id: string;
  readonly change: unknown;
  /** The value to be replaced, as of the proposal. */
  readonly standsOn: string;
  readonly proposedBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /**
   * Time at which the change takes effect without confirmation, because its proposer is the only
   * admin. Null: never.
   */
  readonly takesEffectAt: Date | null;
}

/** Stores a change that waits for confirmation and returns its ID. */
export async function insertChange(
  transaction: Database,
  { change, standsOn, proposedBy, at, expiresAt, takesEffectAt }: Omit<PendingChange, "id">,
): Promise<string> {
  const id = newId("PC");
  await sql`
    insert into pending_changes (id, change, replaced_value, proposed_by, at, expires_at, takes_effect_at)
    values (${id}, ${JSON.stringify(change)}, ${standsOn}, ${proposedBy}, ${at}, ${expiresAt}, ${takesEffectAt})`.execute(
    transaction,
  );
  return id;
}

const COLUMNS = sql`id, change, replaced_value as "standsOn", proposed_by as "proposedBy", at, expires_at as "expiresAt",
  takes_effect_at as "takesEffectAt"`;

/** Returns the changes that may still be confirmed, oldest first. */
export async function findOpenChanges(database: Database, now: Date): Promise<PendingChange[]> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes
    where outcome is null and expires_at > ${now} order by at, id`.execute(database);
  return rows;
}

/** Returns the changes of a sole admin that are due to take effect. */
export async function findDueChanges(database: Database, now: Date): Promise<PendingChange[]> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes
    where outcome is null and takes_effect_at <= ${now} and expires_at > ${now} order by at, id`.execute(
    database,
  );
  return rows;
}

/**
 * Returns whether the installation is set up: two people who approve or administer have joined, now
 * or in the past.
 */
export async function isSetUp(database: Database): Promise<boolean> {
  const { rows } = await sql`select from setup_ended`.execute(database);
  return rows.length > 0;
}

/** Returns the undecided proposal to confirm this key, or null if there is none. */
export async function changeOfKey(transaction: Database, keyId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from pending_changes
    where outcome is null and change ->> 'kind' = 'key' and change ->> 'key_id' = ${keyId} for update`.execute(
    transaction,
  );
  return rows[0]?.id ?? null;
}

/** Returns the change, or null if no change has this ID. */
export async function findChange(database: Database, id: string): Promise<PendingChange | null> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes where id = ${id}`.execute(database);
  return rows[0] ?? null;
}

/**
 * Returns the change and locks it, so that no other process can decide it until the transaction has
 * ended. Null: there is none.
 */
export async function lockChange(transaction: Database, id: string): Promise<PendingChange | null> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes where id = ${id} for update`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Records the decision on a change.
 *
 * @throws the refusal of the ledger; see `refusedDecision`.
 */
export async function decideChange(
  transaction: Database,
  decision: {
    readonly id: string;
    readonly outcome: "confirmed" | "withdrawn" | "applied" | "void";
    /** Null: nobody. The change took effect automatically or is no longer possible. */
    readonly by: string | null;
    readonly at: Date;
  },
): Promise<void> {
  const { id, outcome, by, at } = decision;
  await sql`
    update pending_changes set outcome = ${outcome}, decided_by = ${by}, decided_at = ${at}
    where id = ${id}`.execute(transaction);
}

/** Reason why the ledger refused a decision, by constraint. */
const REFUSALS = {
  change_decided_once: "wrong_state",
  change_by_another: "own_change",
  change_by_admins: "wrong_state",
  change_in_time: "change_expired",
  change_is_due: "change_not_due",
  key_confirmed_by_admin: "wrong_state",
} as const;
export type DecisionRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Returns why the ledger refused a decision on a pending change. Null: another error. */
export const refusedDecision = (error: unknown): DecisionRefusal | null =>
  refusalIn(error, REFUSALS);
