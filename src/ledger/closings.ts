import { sql } from "kysely";
import { type Database, isRefusedBy } from "#ledger/database.ts";

/** Why the ledger did not take a word about what became of a payout or deposit, by the constraint that refused it. */
const REFUSALS = {
  closing_decided_once: "content_changed",
  closing_by_another: "own_closing",
  closing_by_approver: "not_an_approver",
} as const;
export type ClosingRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

export function refusedClosing(error: unknown): ClosingRefusal | null {
  const known = Object.entries(REFUSALS).find(([constraint]) => isRefusedBy(error, constraint));
  return known?.[1] ?? null;
}

/** Whether there is anybody who could agree. */
export async function hasApprover(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from users where disabled_at is null and 'approver' = any (roles) limit 1`.execute(
    database,
  );
  return rows.length > 0;
}
