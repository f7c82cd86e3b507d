import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Returns the ids of the payouts with these codes, and the first code that no payout has. */
export async function findPayoutIds(
  database: Database,
  codes: readonly string[],
): Promise<{ readonly ids: readonly number[]; readonly unknown: string | null }> {
  const { rows } = await sql<{ id: number; code: string }>`
    select payout_id as id, transaction_code as code from payout_details
    where transaction_code = any(${[...codes]}::text[])`.execute(database);
  const known = new Set(rows.map(({ code }) => code));
  return {
    ids: rows.map(({ id }) => id),
    unknown: codes.find((code) => !known.has(code)) ?? null,
  };
}
