import { systemClock } from "#clock.ts";
import { type Database, openDatabase } from "#ledger/database.ts";
import { createLedger, type Ledger } from "#ledger/ledger.ts";
import { migrate } from "#ledger/migrate.ts";
import { createSealer, type Sealer } from "#ledger/sealed.ts";
import { Secret } from "#secret.ts";
import { FAST } from "./payrun.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let server: Promise<PostgresServer> | null = null;

/** The PostgreSQL of this test file; it ends with the process. */
export const postgres = (): Promise<PostgresServer> => (server ??= startPostgres());

/** The address of an empty database of its own. */
export const freshDatabase = async (): Promise<string> =>
  (await (await postgres()).createDatabase()).url;

export interface TestLedger {
  readonly url: string;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

export const TEST_SEALER = createSealer(new Secret(FAST["PAYRUN_KEY"] ?? ""));

/** A migrated ledger in a database of its own, or the one at `url`. */
export async function openTestLedger(url?: string): Promise<TestLedger> {
  const address = url ?? (await (await postgres()).createDatabase(migrated)).url;
  const database = openDatabase(address);
  const ledger = createLedger(database, TEST_SEALER, systemClock);
  return { url: address, database, sealer: TEST_SEALER, ledger, close: () => database.destroy() };
}

async function migrated(url: string): Promise<void> {
  const database = openDatabase(url);
  await migrate(database);
  await database.destroy();
}
