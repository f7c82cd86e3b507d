import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Planner settings for large batches: sorts and joins run in memory, with a timeout of minutes. The
 * statistics do not cover a batch that was just uploaded, and a planner that trusts them compares
 * each row with every other. Lookups by an index are therefore lateral steps ("offset 0" keeps them
 * so), and everything else is hashed.
 */
const SETTINGS = [
  "work_mem = '64MB'",
  "statement_timeout = '10min'",
  "jit = off",
  "enable_nestloop = off",
  "enable_mergejoin = off",
  "enable_seqscan = off",
  "enable_bitmapscan = off",
];

/** Runs an examination of the rows of a batch with these settings. */
export const withLargeBatchSettings = <T>(
  database: Database,
  look: (transaction: Database) => Promise<T>,
): Promise<T> =>
  database.transaction().execute(async (transaction) => {
    for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(transaction);
    return look(transaction);
  });
