import { type ChildProcess, spawn } from "node:child_process";
import { readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Client } from "pg";

import { systemClock } from "#base/clock.ts";

import { type Binaries, SERVER_ENV } from "./binaries.ts";
import { applicationOf, type Cluster, DATABASE, OWNER } from "./cluster.ts";
import { freePort } from "./port.ts";

/** Application name of the supervisor on the server, by which others check that it runs. */
export const SUPERVISOR_NAME = "payrun supervisor";

const HOST = "127.0.0.1";
const PORT_TRIES = 10;
const PORT_PAUSE_MS = 200;

/** Given on the command line, so that they also apply to a cluster created by an older payrun. */
const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  max_wal_size: "2GB",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  autovacuum: "on",
  // One query at a time needs no parallel workers, and a container's 64 MB of /dev/shm is too small
  // for them.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // One file per weekday, overwritten a week later. Statements and values are not logged, because
  // both contain beneficiaries. Error details contain them as well; `terse` leaves them out.
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgresql-%a.log",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  log_truncate_on_rotation: "on",
  log_statement: "none",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
} as const;

/** The running server as its lock file describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/**
 * Reads the lock file of the cluster. Returns undefined if it belongs to no running server of this
 * cluster.
 */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readLock(folder);
  // PostgreSQL's layout: pid, folder, start time, port, socket folder, address, shared memory,
  // status.
  const [pid, , , port, , , , status = ""] = text.split("\n").map((line) => line.trim());
  if (!(await isPostmaster(Number(pid), folder))) return undefined;
  return { pid: Number(pid), port: Number(port), ready: status === "ready" };
}

/**
 * Returns whether the process is the server of this cluster. After a power loss the number in the
 * lock file may belong to any other program, and PostgreSQL then refuses to start. A zombie counts
 * as dead, because a container may have no process to reap it.
 */
async function isPostmaster(pid: number, folder: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  if (process.platform !== "linux") return true;

  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, program, state = ""] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  if (program !== "postgres" || "ZX".includes(state)) return false;
  // The server works in its own folder. If that cannot be read, the program's name decides.
  const working = await readlink(`/proc/${pid}/cwd`).catch(() => folder);
  return working === folder;
}

/** Returns whether a process exists, also when it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

const lockFile = (folder: string): string => join(folder, "postmaster.pid");
const readLock = (folder: string): Promise<string> =>
  readFile(lockFile(folder), "utf8").catch(() => "");

/**
 * Removes a stale lock file. PostgreSQL takes over a lock whose process is dead, but not one whose
 * number belongs to another running program. The file is then moved away, and put back if it
 * changed after it was checked.
 */
async function clearStaleLock(folder: string): Promise<void> {
  const judged = await readLock(folder);
  const pid = Number(judged.split("\n")[0]);
  if (judged === "" || !isAlive(pid) || (await isPostmaster(pid, folder))) return;

  const aside = `${lockFile(folder)}.stale`;
  await rename(lockFile(folder), aside);
  if ((await readFile(aside, "utf8")) !== judged) await rename(aside, lockFile(folder));
  await rm(aside, { force: true });
}

interface SpawnOptions {
  readonly output?: "inherit" | "ignore";
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts PostgreSQL on the port. The server keeps running if the caller is killed. */
export async function spawnServer(
  cluster: Cluster,
  binaries: Binaries,
  port: number,
  { output = "ignore", settings = {} }: SpawnOptions = {},
): Promise<ChildProcess> {
  await clearStaleLock(cluster.folder);
  const all = Object.entries({ ...SETTINGS, port: String(port), ...settings });
  const args = all.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(binaries.postgres, ["-D", cluster.folder, ...args], {
    ...cluster.account,
    cwd: "/",
    env: SERVER_ENV,
    // Output of the server before it opens its own log. If inherited, the server keeps these files
    // open after this process has exited.
    stdio: ["ignore", output, output],
  });
}

const portFile = (folder: string): string => join(folder, "payrun.port");

/**
 * Returns the port of the last run, so that connection pools find a restarted server immediately.
 * Without one, or if another process has taken it, returns a free port from the system. The port is
 * stored for the next run. If it is taken before the server listens, the server exits, and the
 * caller asks again.
 */
export async function choosePort(folder: string): Promise<number> {
  const last = Number(await readFile(portFile(folder), "utf8").catch(() => ""));
  if (last > 0) {
    for (let tries = 0; tries < PORT_TRIES; tries += 1) {
      if ((await freePort(last)) !== null) return last;
      // Another supervisor has started our server there. A second one would not stay up.
      if ((await findPostmaster(folder))?.port === last) return last;
      await systemClock.sleep(PORT_PAUSE_MS); // the remains of a killed server are still exiting
    }
  }
  const port = await freePort();
  if (port === null) throw new Error(`there is no free port on ${HOST}`);
  await writeFile(portFile(folder), `${port}\n`, { mode: 0o600 });
  return port;
}

/** Returns the address of the server for each role. Loopback only, so TLS is not requested. */
export function urlsOf(cluster: Cluster, port: number): { url: string; ownerUrl: string } {
  const application = applicationOf(cluster);
  const urlOf = (user: string, password: string) =>
    `postgres://${user}:${password}@${HOST}:${port}/${DATABASE}?sslmode=disable`;
  return {
    url: urlOf(application.user, application.password),
    ownerUrl: urlOf(OWNER, cluster.password),
  };
}

/**
 * Returns a connection, or undefined if the server does not accept clients (not yet, or no longer).
 */
export async function connect(
  cluster: Cluster,
  port: number,
  options: { database: string; name: string },
): Promise<Client | undefined> {
  const client = new Client({
    host: HOST,
    port,
    user: OWNER,
    password: cluster.password,
    database: options.database,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    ssl: false,
  });
  // A broken connection also ends, and callers listen to that event.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
}
