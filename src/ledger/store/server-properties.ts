import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "#base/clock.ts";
import type { Database } from "#ledger/store/database.ts";

/** Properties of the PostgreSQL server that matter to a ledger. */
export interface DatabaseFacts {
  readonly version: string;
  /** True if a confirmed commit survives a power loss. */
  readonly isDurable: boolean;
  /** Clock of the database minus the clock of this process, in milliseconds. */
  readonly clockOffsetMs: number;
}

/** Returns the PostgreSQL version, whether commits are durable, and the clock difference. */
export async function inspectDatabase(database: Database, clock: Clock): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string; durable: boolean; now: Date }>`
    select current_setting('server_version') as version,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as durable,
      clock_timestamp() as now`.execute(database);
  const [server] = rows;
  if (!server) throw new Error("the database returned no rows");
  const { version, durable, now } = server;
  return { version, isDurable: durable, clockOffsetMs: now.getTime() - clock.nowMs() };
}

/**
 * Returns whether each of our connections is one session of the server and stays the same one. A
 * pooler that shares sessions hands out the session that became free last: the session of the first
 * connection then serves the transaction of the second one.
 */
export const isOneSession = (database: Database): Promise<boolean> =>
  database.connection().execute(async (first) => {
    const before = await sessionOf(first);
    const after = await database.transaction().execute(async (second) => {
      await sessionOf(second);
      return sessionOf(first);
    });
    return before === after;
  });

async function sessionOf(connection: Database): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return rows[0]?.pid;
}

const TEST_BYTES = 48_000;

/**
 * Writes a value of some size and rolls it back.
 *
 * @throws if the disk is full or the database accepts no writes.
 */
export async function testWrite(database: Database): Promise<void> {
  // Random bytes, which PostgreSQL cannot compress.
  const value = randomBytes(TEST_BYTES).toString("base64");
  const transaction = await database.startTransaction().execute();
  try {
    await transaction.insertInto("settings").values({ name: "doctor", value }).execute();
  } finally {
    await transaction.rollback().execute();
  }
}
