import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { readConfig } from "#app/config.ts";
import { CONNECTIONS_DEFAULT_WITH_WORKERS } from "#app/connections.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { startServer } from "#composition/server.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  type Env,
  FAST,
  merchantsFile,
  runHere,
  scratch,
} from "../../test/support/servers/payrun.ts";
import { type PostgresServer, startPostgres } from "../../test/support/servers/postgres.ts";
import { startSimulator, type SimulatorProcess } from "../../test/support/servers/simulator.ts";
import type { Place } from "./search.ts";

/** A complete installation with a WAL archive, in a folder of its own. */
export interface Installation {
  readonly folder: string;
  readonly gateway: SimulatorProcess;
  readonly postgres: PostgresServer;
  readonly places: readonly Place[];
  /** The current PAYRUN_KEY. */
  key: string;
  env(): Env;
  /** Runs a command; an error fails the proof. */
  command(...args: string[]): Promise<string>;
  /** Runs the server and its workers during the work. */
  whileServing<T>(work: (payrun: Payrun, url: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Returns a random PAYRUN_KEY. */
export const newKey = (): string => randomBytes(32).toString("hex");

/** Every place where data of people may be. */
const placesIn = (folder: string, cluster: string): Place[] => [
  { name: "data directory", path: cluster, without: "pg_wal" },
  { name: "WAL", path: join(cluster, "pg_wal") },
  { name: "WAL archive", path: join(folder, "wal") },
  { name: "dumps", path: join(folder, "dumps") },
  { name: "archive files", path: join(folder, "archives") },
  { name: "PAYRUN_DATA", path: join(folder, "data") },
  { name: "output of commands", path: join(folder, "logs") },
  { name: "uploaded files", path: join(folder, "files") },
];

/** PostgreSQL archives its WAL, and logs every statement with its values. */
const startServers = (walArchive: string) =>
  Promise.all([
    startSimulator({ settleMs: 1 }),
    startPostgres({
      archive_mode: "on",
      archive_command: `cp "%p" "${walArchive}/%f"`,
      wal_compression: "off",
      log_statement: "all",
      logging_collector: "on",
    }),
  ]);

/** Creates an installation with an empty ledger. */
export async function install(): Promise<Installation> {
  const folder = scratch();
  chmodSync(folder, 0o755);
  const path = (name: string) => join(folder, name);
  for (const name of ["wal", "dumps", "archives", "files", "data", "logs"]) {
    mkdirSync(path(name));
  }
  // PostgreSQL runs under another account if this process is root.
  chmodSync(path("wal"), 0o777);
  const [gateway, postgres] = await startServers(path("wal"));
  const { url } = await postgres.createDatabase();
  const cluster = dirname(postgres.logs);
  const own = { key: newKey() };
  const merchants = merchantsFile(folder);
  const env = (): Env => ({
    ...FAST,
    PAYRUN_KEY: own.key,
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: String(CONNECTIONS_DEFAULT_WITH_WORKERS),
    PAYRUN_DATA: path("data"),
    GATEWAY_URL: gateway.url,
    MERCHANTS_FILE: merchants,
    PORT: "0",
    LOG_LEVEL: "fatal",
  });
  let output = "";
  const places = placesIn(folder, cluster);
  return {
    folder,
    gateway,
    postgres,
    places,
    get key() {
      return own.key;
    },
    set key(next) {
      own.key = next;
    },
    env,
    async command(...args) {
      const ended = await runHere(args, env());
      if (ended.code !== 0) throw new Error(`payrun ${args.join(" ")}: ${ended.stderr}`);
      // `payrun pay` shows wrong rows to the person who pays.
      if (args[0] !== "pay") output += ended.stdout + ended.stderr;
      writeFileSync(join(path("logs"), "commands.log"), output);
      return ended.stdout;
    },
    async whileServing(work) {
      const config = readConfig(env());
      const payrun = await openPayrun(config);
      const server = await startServer(payrun, { workers: true, environment: "simulated" });
      try {
        return await work(payrun, server.url);
      } finally {
        await server.close();
        await payrun.close();
      }
    },
    async close() {
      await gateway.stop();
      await postgres.stop();
    },
  };
}

/** Writes every row of the ledger to a file, as a dump has them. */
export async function dump(database: Database, file: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema in ('payrun', 'payrun_queue') and table_type = 'BASE TABLE'`.execute(
    database,
  );
  const lines: string[] = [];
  for (const { name } of rows) {
    const found = await sql<{ line: string }>`
      select to_json(t)::text as line from ${sql.table(name)} t`
      .execute(database)
      .catch(() => null);
    for (const { line } of found?.rows ?? []) lines.push(`${name} ${line}`);
  }
  writeFileSync(file, lines.join("\n"));
}

/** Completes the current WAL file and waits until it is in the archive. */
export async function archiveWal(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select pg_walfile_name(pg_switch_wal()) as name`.execute(database);
  for (let tries = 0; tries < 300; tries += 1) {
    const { rows: done } = await sql<{ last: string | null }>`
      select last_archived_wal as last from pg_stat_archiver`.execute(database);
    if ((done[0]?.last ?? "") >= (rows[0]?.name ?? "")) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the WAL was not archived");
}
