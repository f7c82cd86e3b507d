import { sql } from "kysely";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { asTestOwner } from "./postgres.ts";

/**
 * Runs `work` while a superuser holds the table, so that every statement of the product on it
 * waits.
 */
export async function withTableLocked<T>(
  url: string,
  table: string,
  work: (transaction: Database) => Promise<T>,
): Promise<T> {
  const owner = openDatabase(asTestOwner(url));
  try {
    return await owner.transaction().execute(async (transaction) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction);
      return work(transaction);
    });
  } finally {
    await owner.destroy();
  }
}
