import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { refusalIn } from "#ledger/store/database-errors.ts";
import { err, ok, type Result } from "#base/result.ts";

/**
 * Reason why the ledger refused a manual resolution of a payout or deposit, by the constraint that
 * refused it.
 */
const REFUSALS = {
  resolution_decided_once: "content_changed",
  resolution_by_another: "own_resolution",
  resolution_by_approver: "not_an_approver",
} as const;
export type ResolutionRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/**
 * Thrown to roll back a manual resolution if the payout or deposit has changed since it was viewed.
 */
export class ChangedSinceProposal extends Error {}

/** Waits for a transaction and returns the reason if the ledger refused it. */
export const runOrRefuse = (transaction: Promise<void>): Promise<Result<true, ResolutionRefusal>> =>
  valueOrRefusal(transaction.then(() => true as const));

/** Waits for a transaction and returns its value, or the reason if the ledger refused it. */
export async function valueOrRefusal<T>(
  transaction: Promise<T>,
): Promise<Result<T, ResolutionRefusal>> {
  try {
    return ok(await transaction);
  } catch (error) {
    if (error instanceof ChangedSinceProposal) return err("content_changed");
    const refused = refusalIn(error, REFUSALS);
    if (!refused) throw error;
    return err(refused);
  }
}

export interface Decision {
  readonly id: number;
  readonly outcome: "agreed" | "refused" | "alone";
  readonly by: string;
}

/** Tables of the objects that can be resolved manually. */
const OBJECTS = {
  payout_resolutions: { table: "payouts", column: "payout_id" },
  wait_endings: { table: "payouts", column: "payout_id" },
  deposit_resolutions: { table: "deposits", column: "deposit_id" },
  break_resolutions: { table: "breaks", column: "break_id" },
} as const;

/**
 * Records the decision with the time of the database. An attempt that ends later is compared with
 * this time, and the clock of this machine may be fast.
 *
 * @throws the refusal of the ledger: see runOrRefuse.
 */
export async function recordDecision(
  transaction: Database,
  closings: keyof typeof OBJECTS,
  { id, outcome, by }: Decision,
): Promise<void> {
  const { table, column } = OBJECTS[closings];
  // Lock in the same order as insertResolution. Otherwise a person who decides and a person who
  // proposes could deadlock.
  await sql`
    select from ${sql.table(table)} where id = (
      select ${sql.ref(column)} from ${sql.table(closings)} where id = ${id}) for update`.execute(
    transaction,
  );
  await sql`
    update ${sql.table(closings)} set outcome = ${outcome}, decided_by = ${by}, decided_at = now()
    where id = ${id}`.execute(transaction);
}

/** Returns whether anybody could approve a manual resolution. */
export async function hasApprover(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from users where disabled_at is null and 'approver' = any (roles) limit 1`.execute(
    database,
  );
  return rows.length > 0;
}
