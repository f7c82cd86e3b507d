import { sql } from "kysely";
import type { Clock } from "#base/clock.ts";
import type { Database } from "#ledger/store/database.ts";
import { testWrite } from "#ledger/store/server-properties.ts";

/**
 * Time for which a successful write test is trusted. Each test writes 64 kB to the server's log.
 */
const WRITES_FOR_MS = 60_000;
/** Time for which a failed write test is trusted. */
const REFUSES_FOR_MS = 5_000;

/**
 * Checks whether the database answers and accepts writes. May be called at any rate. Returns
 * readable texts.
 */
export function databaseHealth(database: Database, clock: Clock): () => Promise<string[]> {
  let tried: Promise<boolean> = Promise.resolve(false);
  let isOldFromMs = -Infinity;

  const tryAnew = async () => {
    const takes = await testWrite(database).then(
      () => true,
      () => false,
    );
    isOldFromMs = clock.monotonicMs() + (takes ? WRITES_FOR_MS : REFUSES_FOR_MS);
    return takes;
  };

  return async () => {
    try {
      await sql`select`.execute(database);
    } catch {
      return ["the database is not responding"];
    }
    if (clock.monotonicMs() >= isOldFromMs) {
      isOldFromMs = Infinity; // one test at a time
      tried = tryAnew();
    }
    return (await tried) ? [] : ["the database is not accepting writes; its disk may be full"];
  };
}
