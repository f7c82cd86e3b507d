import { sql } from "kysely";
import { type Database, refusalIn } from "#ledger/database.ts";
import { err, ok, type Result } from "#result.ts";

/** Why the ledger did not take a word about what became of a payout or deposit, by the constraint that refused it. */
const REFUSALS = {
  closing_decided_once: "content_changed",
  closing_by_another: "own_closing",
  closing_by_approver: "not_an_approver",
} as const;
export type ClosingRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Takes the closing back: what was seen of the payout or deposit is not what is there. */
export class MovedOn extends Error {}

/** Does the work in one commit, and says what of it the ledger did not take. */
export async function orRefused(
  database: Database,
  work: (transaction: Database) => Promise<void>,
): Promise<Result<true, ClosingRefusal>> {
  try {
    await database.transaction().execute(work);
    return ok(true);
  } catch (error) {
    if (error instanceof MovedOn) return err("content_changed");
    const refused = refusalIn(error, REFUSALS);
    if (!refused) throw error;
    return err(refused);
  }
}

interface Decision {
  readonly id: number;
  readonly outcome: "agreed" | "refused" | "alone";
  readonly by: string;
  readonly at: Date;
}

/** What a closing is about. */
const OBJECTS = {
  payout_closings: { table: "payouts", column: "payout_id" },
  wait_endings: { table: "payouts", column: "payout_id" },
  deposit_closings: { table: "deposits", column: "deposit_id" },
} as const;

/** @throws what the ledger refuses: see orRefused. */
export async function decideClosing(
  transaction: Database,
  closings: keyof typeof OBJECTS,
  { id, outcome, by, at }: Decision,
): Promise<void> {
  const { table, column } = OBJECTS[closings];
  // In the order of insertClosing, or somebody who decides and somebody who proposes wait for each other for ever.
  await sql`
    select from ${sql.table(table)} where id = (
      select ${sql.ref(column)} from ${sql.table(closings)} where id = ${id}) for update`.execute(
    transaction,
  );
  await sql`
    update ${sql.table(closings)} set outcome = ${outcome}, decided_by = ${by}, decided_at = ${at}
    where id = ${id}`.execute(transaction);
}

/** Whether there is anybody who could agree. */
export async function hasApprover(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from users where disabled_at is null and 'approver' = any (roles) limit 1`.execute(
    database,
  );
  return rows.length > 0;
}
