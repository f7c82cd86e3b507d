import { sql } from "kysely";
import type { Clock } from "#clock.ts";
import type { Database } from "#ledger/database.ts";

/** What matters about the PostgreSQL under a ledger. */
export interface DatabaseFacts {
  readonly version: string;
  /** A commit that was reported survives a power loss. */
  readonly isDurable: boolean;
  /** The database's clock less ours. */
  readonly clockOffsetMs: number;
}

export async function inspectDatabase(database: Database, clock: Clock): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string; durable: boolean; now: Date }>`
    select current_setting('server_version') as version,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as durable,
      clock_timestamp() as now`.execute(database);
  const [server] = rows;
  if (!server) throw new Error("the database answered nothing");
  const { version, durable, now } = server;
  return { version, isDurable: durable, clockOffsetMs: now.getTime() - clock.nowMs() };
}
