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

/** @throws what the ledger refuses: see orRefused. */
export async function decideClosing(
  transaction: Database,
  table: "payout_closings" | "deposit_closings",
  { id, outcome, by, at }: Decision,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set outcome = ${outcome}, decided_by = ${by}, decided_at = ${at}
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
