import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { findBinaries } from "#ledger/embedded/binaries.ts";
import { type Cluster, ensureCluster } from "#ledger/embedded/cluster.ts";
import { choosePort, connect, spawnServer, urlOf } from "#ledger/embedded/server.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";

const run = promisify(execFile);

/** A real PostgreSQL of its own, without a keeper: it is started and killed by the test alone. */
export interface PostgresServer {
  /** What it writes its own log into. */
  readonly logs: string;
  /** A database of its own; with `prepare`, a copy of one that was prepared once for all. */
  createDatabase(prepare?: (url: string) => Promise<void>): Promise<TestDatabase>;
  /** SIGKILL to the server process. */
  kill(): Promise<void>;
  /** Starts it on the same port; one that still runs is shut down first, in the middle of what it does. */
  restart(): Promise<void>;
  /** Shuts it down, copies its files, and starts it again. */
  snapshot(): Promise<void>;
  /** Kills it and puts the copied files in the place of its own; `promoted`: as those of a standby that takes over. */
  putBack(how: "as it was" | "promoted"): Promise<void>;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "payrun-postgres-"));
  chmodSync(folder, 0o755);
  const cluster = await freshCluster(folder);
  // After a kill PostgreSQL synchronises its files one by one, which takes seconds; what is tested is what comes then.
  if (process.platform === "linux") {
    appendFileSync(
      join(cluster.folder, "postgresql.conf"),
      "recovery_init_sync_method = 'syncfs'\n",
    );
  }
  const binaries = await findBinaries(cluster.account, folder);
  const port = await choosePort(cluster.folder);
  const address = urlOf(cluster, port);
  const kept = `${cluster.folder}.kept`;
  const urlTo = (name: string) => Object.assign(new URL(address), { pathname: `/${name}` }).href;
  let server: ChildProcess | null = null;

  const start = async () => {
    server = await spawnServer(cluster, binaries, port, { settings });
    await eventually("PostgreSQL answers", async () => {
      // The children of a killed server hold its memory for a moment, and no new one starts beside them.
      if (server?.exitCode != null)
        server = await spawnServer(cluster, binaries, port, { settings });
      const client = await connect(cluster, port, { database: "payrun", name: "test" });
      await client?.end();
      return client !== undefined;
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  };
  atExit(() => {
    server?.kill("SIGQUIT");
    remove(folder, cluster.folder);
    rmSync(kept, { recursive: true, force: true });
  });
  await start();

  const templates = new Map<(url: string) => Promise<void>, Promise<string>>();
  let count = 0;
  const create = async (template = "template1") => {
    const name = `test_${(count += 1)}`;
    await query(address, `create database ${name} template ${template}`);
    return name;
  };
  const templateOf = (prepare: (url: string) => Promise<void>) => {
    const known = templates.get(prepare);
    if (known) return known;
    const made = create().then(async (name) => {
      await prepare(urlTo(name));
      return name;
    });
    templates.set(prepare, made);
    return made;
  };

  return {
    logs: join(cluster.folder, "log"),
    async createDatabase(prepare) {
      const name = await create(prepare ? await templateOf(prepare) : undefined);
      return {
        url: urlTo(name),
        async drop() {
          await query(address, `drop database ${name} with (force)`);
        },
      };
    },
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGINT"); // fast shutdown: transactions under way are broken off
      await start();
    },
    async snapshot() {
      await end("SIGINT");
      rmSync(kept, { recursive: true, force: true });
      await run("cp", ["-a", cluster.folder, kept]);
      await start();
    },
    async putBack(how) {
      await end("SIGKILL");
      rmSync(cluster.folder, { recursive: true });
      await run("cp", ["-a", kept, cluster.folder]);
      if (how === "promoted") {
        // A copy, so that it belongs to whom the others belong to; what it holds is not read.
        await run("cp", ["-a", join(kept, "PG_VERSION"), join(cluster.folder, "standby.signal")]);
      }
      await start();
      if (how === "promoted") await query(address, "select pg_promote()");
    },
    async stop() {
      await end("SIGINT");
      remove(folder, cluster.folder);
    },
  };
}

/** A copy of the one that `npm test` keeps for its run: making one takes a second of the processor. */
async function freshCluster(folder: string): Promise<Cluster> {
  const kept = process.env["PAYRUN_TEST_CLUSTER"];
  if (kept) await run("cp", ["-a", (await ensureCluster(kept)).folder, join(folder, "pg")]);
  return ensureCluster(folder);
}

/** As root the cluster may lie outside of its data folder, where its account can reach it. */
function remove(folder: string, cluster: string): void {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  if (!cluster.startsWith(folder)) rmSync(dirname(cluster), options);
  rmSync(folder, options);
}

/** One statement over a connection of its own, without payrun's settings. */
export async function query<Row extends Record<string, unknown> = Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return ask(url, "", text, values);
}

/** The same as a superuser whom no trigger holds: to set up what no flow makes, or an attack that gets past the triggers. */
export const force = (url: string, text: string, values: unknown[] = []) =>
  ask(url, "; set session_replication_role = replica", text, values);

async function ask<Row extends Record<string, unknown>>(
  url: string,
  settings: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`set search_path to payrun, public${settings}`);
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
