import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { findBinaries } from "#ledger/embedded/binaries.ts";
import { applicationOf, type Cluster, ensureCluster } from "#ledger/embedded/cluster.ts";
import { choosePort, connect, spawnServer, urlsOf } from "#ledger/embedded/server.ts";
import type { RoleAddresses } from "#ledger/store/owner-role.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";

const run = promisify(execFile);

/** A separate real PostgreSQL without a supervisor: only the test starts and kills it. */
export interface PostgresServer {
  /** File of its own log. */
  readonly logs: string;
  /**
   * A new database; with `prepare`, a copy of one that was prepared once. The address of an empty
   * one is its owner's, who can migrate it; of a prepared one, the application's.
   */
  createDatabase(prepare?: Prepare): Promise<TestDatabase>;
  /** SIGKILL to the server process. */
  kill(): Promise<void>;
  /** Starts it on the same port. A running one is shut down first, in the middle of its work. */
  restart(): Promise<void>;
  /** Shuts it down, copies its files, and starts it again. */
  snapshot(): Promise<void>;
  /**
   * Kills it and replaces its files with the copied ones, which the next `snapshot` copies again;
   * `promoted`: as those of a standby that takes over.
   */
  putBack(how: "as it was" | "promoted"): Promise<void>;
  stop(): Promise<void>;
}

type Prepare = (addresses: RoleAddresses) => Promise<void>;

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
  // After a kill PostgreSQL synchronises its files one by one, which takes seconds. The test covers
  // what follows.
  if (process.platform === "linux") {
    appendFileSync(
      join(cluster.folder, "postgresql.conf"),
      "recovery_init_sync_method = 'syncfs'\n",
    );
  }
  const binaries = await findBinaries(cluster.account, folder);
  const kept = `${cluster.folder}.kept`;
  let server: ChildProcess | null = null;

  let port = 0;
  /** Later starts use the first one's port, which is in the addresses of the databases. */
  const start = async ({ isFirst }: { readonly isFirst: boolean }) => {
    const spawned = async () => {
      if (isFirst) port = await choosePort(cluster.folder);
      return spawnServer(cluster, binaries, port, { settings });
    };
    server = await spawned();
    await eventually("PostgreSQL answers", async () => {
      // The children of a killed server hold its memory for a moment, and no new server can start
      // meanwhile; or another process has taken its port.
      if (server?.exitCode != null) server = await spawned();
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
  await start({ isFirst: true });
  const addresses = urlsOf(cluster, port);
  const address = addresses.ownerUrl;
  const urlTo = (name: string, role: keyof RoleAddresses) =>
    Object.assign(new URL(addresses[role]), { pathname: `/${name}` }).href;

  const { user, password } = applicationOf(cluster);
  await query(
    address,
    `create role ${user} login password '${password}'; create role ${TEST_OWNER} superuser login password '${TEST_OWNER}'`,
  );

  const templates = new Map<Prepare, Promise<string>>();
  let count = 0;
  const create = async (template = "template1") => {
    const name = `test_${(count += 1)}`;
    await query(address, `create database ${name} template ${template}`);
    return name;
  };
  const templateOf = (prepare: Prepare) => {
    const known = templates.get(prepare);
    if (known) return known;
    const made = create().then(async (name) => {
      await prepare({ url: urlTo(name, "url"), ownerUrl: urlTo(name, "ownerUrl") });
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
        url: urlTo(name, prepare ? "url" : "ownerUrl"),
        async drop() {
          await query(address, `drop database ${name} with (force)`);
        },
      };
    },
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGINT"); // fast shutdown: aborts running transactions
      await start({ isFirst: false });
    },
    async snapshot() {
      await end("SIGINT");
      rmSync(kept, { recursive: true, force: true });
      await run("cp", ["-a", cluster.folder, kept]);
      await start({ isFirst: false });
    },
    async putBack(how) {
      await end("SIGKILL");
      rmSync(cluster.folder, { recursive: true });
      await rename(kept, cluster.folder);
      if (how === "promoted") {
        // A copy, so that it has the same owner as the others. Its content is not read.
        const [copied, signal] = ["PG_VERSION", "standby.signal"];
        await run("cp", ["-a", join(cluster.folder, copied), join(cluster.folder, signal)]);
      }
      await start({ isFirst: false });
      if (how === "promoted") await query(address, "select pg_promote()");
    },
    async stop() {
      await end("SIGINT");
      remove(folder, cluster.folder);
    },
  };
}

/**
 * A copy of the cluster that `npm test` keeps for its run: creating one takes a second of processor
 * time.
 */
export async function freshCluster(folder: string): Promise<Cluster> {
  const kept = process.env["PAYRUN_TEST_CLUSTER"];
  if (kept) await run("cp", ["-a", (await ensureCluster(kept)).folder, join(folder, "pg")]);
  return ensureCluster(folder);
}

/** As root the cluster may be outside its data folder, where its account can reach it. */
function remove(folder: string, cluster: string): void {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  if (!cluster.startsWith(folder)) rmSync(dirname(cluster), options);
  rmSync(folder, options);
}

/** A superuser of the test servers with a password that every test knows. */
const TEST_OWNER = "test_owner";

/**
 * The same database, as a superuser: what the tests set up takes more rights than the application
 * has.
 */
export function asTestOwner(url: string): string {
  const address = new URL(url);
  const isApplication = address.username === "payrun_app";
  return isApplication
    ? Object.assign(address, { username: TEST_OWNER, password: TEST_OWNER }).href
    : url;
}

/** One statement as a superuser over a separate connection, without payrun's settings. */
export async function query<Row extends Record<string, unknown> = Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return ask(asTestOwner(url), "", text, values);
}

/**
 * The same as a superuser whom no trigger restricts: to set up states that no flow creates, or an
 * attack that bypasses the triggers.
 */
export const force = (url: string, text: string, values: unknown[] = []) =>
  ask(asTestOwner(url), "; set session_replication_role = replica", text, values);

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

/** One statement as the role of this address, as an intruder with its password would run it. */
export const asIs = (url: string, text: string, values: unknown[] = []) =>
  ask(url, "", text, values);
