import { chmodSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { systemClock } from "#clock.ts";
import { type Database, openDatabase } from "#ledger/database.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { createLedger, type Ledger } from "#ledger/ledger.ts";
import { migrate } from "#ledger/migrate.ts";
import { createSealer, type Sealer } from "#ledger/sealed.ts";
import { Secret } from "#secret.ts";
import { FAST, scratch } from "./payrun.ts";

let server: Promise<string> | null = null;
let databases = 0;

/** A real PostgreSQL for this test file, the embedded one; it ends with the process. */
function startServer(): Promise<string> {
  server ??= (async () => {
    const folder = scratch();
    chmodSync(folder, 0o755);
    const { url } = await startEmbedded(folder);
    process.once("exit", () => removeCluster(folder));
    return url;
  })();
  return server;
}

/** As root the cluster may lie outside of its data folder, where its account can reach it. */
export function removeCluster(folder: string): void {
  try {
    const cluster = realpathSync(join(folder, "pg"));
    if (!cluster.startsWith(folder)) {
      rmSync(dirname(cluster), { recursive: true, force: true, maxRetries: 3 });
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Whatever is left lies in the folder for temporary files.
  }
}

/** The address of an empty database of its own. */
export async function freshDatabase(): Promise<string> {
  const url = await startServer();
  const name = `test_${process.pid}_${databases++}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

export interface TestLedger {
  readonly url: string;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

export const TEST_KEY = new Secret(FAST["PAYRUN_KEY"] ?? "");

/** A migrated ledger in a database of its own, or in the one at `url`. */
export async function openTestLedger(url?: string): Promise<TestLedger> {
  const address = url ?? (await freshDatabase());
  const database = openDatabase(address);
  await migrate(database);
  const sealer = createSealer(TEST_KEY);
  const ledger = createLedger(database, sealer, systemClock);
  return { url: address, database, sealer, ledger, close: () => database.destroy() };
}

/** One statement, over a connection of its own, without payrun's settings. */
export async function query<Row extends Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set search_path to payrun");
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
