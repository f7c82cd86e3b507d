import { sql } from "kysely";
import type { Clock } from "#clock.ts";
import type { Database } from "#ledger/database.ts";
import { tryWriting } from "#ledger/inspect.ts";

/** That it takes writes is believed for so long: each try is 64 kB in its log. */
const WRITES_FOR_MS = 60_000;
/** That it takes none, for so long. */
const REFUSES_FOR_MS = 5_000;

/** Asks whether the database answers and takes writes, as often as anybody likes. What it returns is for people. */
export function databaseHealth(database: Database, clock: Clock): () => Promise<string[]> {
  let tried: Promise<boolean> = Promise.resolve(false);
  let isOldFromMs = -Infinity;

  const tryAnew = async () => {
    const takes = await tryWriting(database).then(
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
      return ["the database cannot be asked"];
    }
    if (clock.monotonicMs() >= isOldFromMs) {
      isOldFromMs = Infinity; // one try at a time
      tried = tryAnew();
    }
    return (await tried) ? [] : ["the database takes no writes: its disk may be full"];
  };
}
