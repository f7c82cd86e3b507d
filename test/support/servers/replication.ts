import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { type Binaries, findBinaries } from "#ledger/embedded/binaries.ts";
import { applicationOf, type Cluster, OWNER } from "#ledger/embedded/cluster.ts";
import { choosePort, spawnServer } from "#ledger/embedded/server.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";
import { freshCluster } from "./postgres.ts";

const run = promisify(execFile);

/** One PostgreSQL server of a replicated pair. */
export interface Replica {
  /** Its `cluster_name`, and its name in `synchronous_standby_names` of the other one. */
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  start(): Promise<void>;
  /** Ends the server with this signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Stops the processes of the server without closing their connections, as a dead host does. */
  freeze(): Promise<void>;
  promote(): Promise<void>;
  /** Runs a statement as a superuser. */
  query<Row extends Record<string, unknown>>(text: string, database?: string): Promise<Row[]>;
  /** Sets a parameter and reloads the configuration. */
  set(parameter: string, value: string): Promise<void>;
}

/** Real servers with streaming replication. The first one is the primary at the start. */
export interface Replication {
  readonly primary: Replica;
  /** Creates a standby of a running server, which follows it. */
  standbyOf(server: Replica, name: string): Promise<Replica>;
  /** Address of the ledger's database on these hosts, in this order. */
  addressOf(servers: readonly Pick<Replica, "port">[], role?: "owner" | "application"): string;
  stop(): Promise<void>;
}

const DATABASE = "payrun";

/**
 * Starts a primary. The programs come from npm and have no pg_basebackup, so a standby is a copy of
 * the files between pg_backup_start and pg_backup_stop.
 */
export async function startReplication(): Promise<Replication> {
  const folder = mkdtempSync(join(tmpdir(), "payrun-replication-"));
  chmodSync(folder, 0o755);
  const cluster = await freshCluster(folder);
  const binaries = await findBinaries(cluster.account, folder);
  const all: Replica[] = [];
  const remove = () => {
    const parent = cluster.folder.startsWith(folder) ? folder : dirname(cluster.folder);
    rmSync(parent, { recursive: true, force: true, maxRetries: 3 });
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const stop = async () => {
    for (const replica of all) await replica.end("SIGQUIT");
    remove();
  };
  atExit(remove);
  const primary = await replicaIn(cluster, binaries, "a");
  all.push(primary);
  await primary.start();
  const { user, password } = applicationOf(cluster);
  await primary.query(`create role ${user} login password '${password}'`);

  return {
    primary,
    async standbyOf(server, name) {
      const copy: Cluster = {
        ...cluster,
        folder: join(dirname(cluster.folder), `pg-${name}-${all.length}`),
      };
      await copyOf(server, copy, name);
      const standby = await replicaIn(copy, binaries, name);
      all.push(standby);
      await standby.start();
      return standby;
    },
    addressOf(servers, role = "owner") {
      const login = role === "owner" ? `${OWNER}:${cluster.password}` : `${user}:${password}`;
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
      return `postgres://${login}@${hosts}/${DATABASE}?target_session_attrs=read-write`;
    },
    stop,
  };
}

/** Copies the files of a running server, and prepares the copy as its standby. */
async function copyOf(server: Replica, copy: Cluster, name: string): Promise<void> {
  const client = clientOf(copy, server.port);
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  await run("cp", ["-a", server.folder, copy.folder]);
  const { rows } = await client.query<{ labelfile: string }>("select * from pg_backup_stop(false)");
  await client.end();
  await run("find", [join(copy.folder, "pg_wal"), "-type", "f", "-delete"]);
  rmSync(join(copy.folder, "postmaster.pid"), { force: true });
  const owned = (file: string, text: string) => {
    const path = join(copy.folder, file);
    writeFileSync(path, text, { mode: 0o600 });
    if (copy.account) chownSync(path, copy.account.uid, copy.account.gid);
  };
  owned("backup_label", rows[0]?.labelfile ?? "");
  owned("standby.signal", "");
  owned(
    "postgresql.auto.conf",
    `primary_conninfo = 'host=127.0.0.1 port=${server.port} user=${OWNER} password=${copy.password} application_name=${name}'\n`,
  );
}

const clientOf = ({ password }: Cluster, port: number, database = DATABASE): Client => {
  const client = new Client({ host: "127.0.0.1", port, user: OWNER, password, database });
  client.on("error", () => {});
  return client;
};

async function replicaIn(cluster: Cluster, binaries: Binaries, name: string): Promise<Replica> {
  const port = await choosePort(cluster.folder);
  let server: ChildProcess | null = null;
  atExit(() => server?.kill("SIGQUIT"));
  const settings = {
    cluster_name: name,
    max_connections: "300",
    wal_keep_size: "1GB",
    wal_receiver_timeout: "2s",
    wal_retrieve_retry_interval: "200ms",
    shared_buffers: "32MB",
  };
  appendFileSync(join(cluster.folder, "postgresql.conf"), "recovery_init_sync_method = 'syncfs'\n");

  const query = async <Row extends Record<string, unknown>>(text: string, database?: string) => {
    const client = clientOf(cluster, port, database);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  return {
    name,
    port,
    folder: cluster.folder,
    query,
    async start() {
      const begin = async () => (server = await spawnServer(cluster, binaries, port, { settings }));
      await begin();
      await eventually(`server ${name} answers`, async () => {
        if (server?.exitCode != null) await begin();
        return query("select 1").then(
          () => true,
          () => false,
        );
      });
    },
    async end(signal) {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, "exit");
      await signalAll(server, "SIGCONT").catch(() => {});
      server.kill(signal);
      await gone;
    },
    async freeze() {
      if (server) await signalAll(server, "SIGSTOP");
    },
    async promote() {
      await query("select pg_promote()");
    },
    async set(parameter, value) {
      await query(`alter system set ${parameter} = '${value}'`);
      await query("select pg_reload_conf()");
    },
  };
}

/** Signals the server and its children, which hold the connections. */
async function signalAll(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(server.pid)]);
  for (const pid of [server.pid, ...stdout.split("\n").map(Number)]) {
    if (pid) process.kill(pid, signal);
  }
}
