import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Returns the rows of a batch with the columns that never change, as a subquery. With ids given as
 * numbers, PostgreSQL scans both tables once, side by side. A lookup for each of 100,000 rows would
 * take as long as everything else together.
 */
export async function batchRows(database: Database, batchId: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ first: number; last: number }>`
    select first_id as first, last_id as last from batches where id = ${batchId}`.execute(database);
  const { first, last } = rows[0] ?? { first: 0, last: 0 };
  const ids = sql`between ${sql.lit(first)} and ${sql.lit(last)}`;
  return sql`
    select p.id, p.line, p.currency, p.minor_digits, p.amount_minor, d.account_digest, d.name_key, d.mixed_scripts,
      d.transaction_code
    from payouts p join payout_details d on d.payout_id = p.id
    where p.id ${ids} and d.payout_id ${ids} and p.batch_id = ${batchId}`;
}
