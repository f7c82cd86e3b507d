import { sql } from "kysely";
import { newId } from "#ids.ts";
import { type Database, refusalIn } from "#ledger/database.ts";

/** What one admin has proposed, and another one has to confirm. */
export interface PendingChange {
  readonly id: string;
  readonly change: unknown;
  /** What it would replace, as it was when it was proposed. */
  readonly standsOn: string;
  readonly proposedBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertChange(
  transaction: Database,
  { change, standsOn, proposedBy, at, expiresAt }: Omit<PendingChange, "id">,
): Promise<string> {
  const id = newId("PC");
  await sql`
    insert into pending_changes (id, change, stands_on, proposed_by, at, expires_at)
    values (${id}, ${JSON.stringify(change)}, ${standsOn}, ${proposedBy}, ${at}, ${expiresAt})`.execute(
    transaction,
  );
  return id;
}

const COLUMNS = sql`id, change, stands_on as "standsOn", proposed_by as "proposedBy", at, expires_at as "expiresAt"`;

/** Those that may still be confirmed, the oldest first. */
export async function openChanges(database: Database, now: Date): Promise<PendingChange[]> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes
    where outcome is null and expires_at > ${now} order by at, id`.execute(database);
  return rows;
}

/** The change, and nobody else decides on it until the transaction has ended. Null: there is none. */
export async function lockChange(transaction: Database, id: string): Promise<PendingChange | null> {
  const { rows } = await sql<PendingChange>`
    select ${COLUMNS} from pending_changes where id = ${id} for update`.execute(transaction);
  return rows[0] ?? null;
}

/** @throws what the ledger refuses, told by `refusedDecision`. */
export async function decideChange(
  transaction: Database,
  decision: {
    readonly id: string;
    readonly outcome: "confirmed" | "withdrawn";
    readonly by: string;
    readonly at: Date;
  },
): Promise<void> {
  const { id, outcome, by, at } = decision;
  await sql`
    update pending_changes set outcome = ${outcome}, decided_by = ${by}, decided_at = ${at}
    where id = ${id}`.execute(transaction);
}

/** Why the ledger did not take a decision, by the constraint that refused it. */
const REFUSALS = {
  change_decided_once: "wrong_state",
  change_by_another: "own_change",
  change_by_admins: "wrong_state",
  change_in_time: "change_expired",
} as const;
export type DecisionRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

export const refusedDecision = (error: unknown): DecisionRefusal | null =>
  refusalIn(error, REFUSALS);
