import { type ChildProcess, spawn } from "node:child_process";
import { readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { randomInt } from "node:crypto";

import { Client } from "pg";

import { systemClock } from "#clock.ts";

import { type Binaries, SERVER_ENV } from "./binaries.ts";
import { type Cluster, DATABASE, USER } from "./cluster.ts";

/** What the keeper calls itself at the server, for those who look whether it is there. */
export const KEEPER = "payrun keeper";

const HOST = "127.0.0.1";
const PORT_TRIES = 10;
const PORT_PAUSE_MS = 200;

/** Given on the command line, so that a cluster made by an older payrun gets them, too. */
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
  // One query at a time needs no helpers, and a container's 64 MB of /dev/shm would not hold them.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // One file per weekday, overwritten a week later. Neither statements nor values: both hold
  // beneficiaries, and so do the details of an error, which `terse` leaves out.
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

/** Reads the lock file of the cluster; undefined when no living server of this cluster stands behind it. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readLock(folder);
  // PostgreSQL's layout: pid, folder, start time, port, socket folder, address, shared memory, status.
  const [pid, , , port, , , , status = ""] = text.split("\n").map((line) => line.trim());
  if (!(await isPostmaster(Number(pid), folder))) return undefined;
  return { pid: Number(pid), port: Number(port), ready: status === "ready" };
}

/**
 * After a power loss the number in the lock file may belong to any other program, and PostgreSQL
 * then refuses to start. A zombie counts as dead: nobody may be there to reap it in a container.
 */
async function isPostmaster(pid: number, folder: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  if (process.platform !== "linux") return true;

  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, program, state = ""] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  if (program !== "postgres" || "ZX".includes(state)) return false;
  // The server works in its own folder. Where we may not look, the name of the program decides.
  const working = await readlink(`/proc/${pid}/cwd`).catch(() => folder);
  return working === folder;
}

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
 * PostgreSQL takes over a lock whose process is dead. It does not when the number is alive as
 * something else; then the file is moved away, and put back if it was no longer the one we judged.
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

/** Starts PostgreSQL on the port. It outlives the caller when the caller is killed. */
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
    // Its first words, before it opens its own log. Inherited, it holds them open after we have gone.
    stdio: ["ignore", output, output],
  });
}

const portFile = (folder: string): string => join(folder, "payrun.port");

/**
 * The port of last time, so that connection pools find a restarted server again; another one only
 * when somebody else has settled there. It is written down for the next time.
 */
export async function choosePort(folder: string): Promise<number> {
  const last = Number(await readFile(portFile(folder), "utf8").catch(() => ""));
  if (last > 0) {
    for (let tries = 0; tries < PORT_TRIES; tries += 1) {
      if (await isFree(last)) return last;
      // Another keeper has started ours there: beside it no second one stays.
      if ((await findPostmaster(folder))?.port === last) return last;
      await systemClock.sleep(PORT_PAUSE_MS); // what was left of a killed server is going
    }
  }
  for (;;) {
    // Below the range that systems hand out for outgoing connections: one of ours could take the
    // port while the server restarts.
    const port = randomInt(20_000, 32_000);
    if (!(await isFree(port))) continue;
    await writeFile(portFile(folder), `${port}\n`, { mode: 0o600 });
    return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });

/** Where a client finds the server. Loopback only, so there is no TLS to ask for. */
export const urlOf = (cluster: Cluster, port: number): string =>
  `postgres://${USER}:${cluster.password}@${HOST}:${port}/${DATABASE}?sslmode=disable`;

/** A connection, or undefined when the server is not (or no longer, or not yet) there for clients. */
export async function connect(
  cluster: Cluster,
  port: number,
  options: { database: string; name: string },
): Promise<Client | undefined> {
  const client = new Client({
    host: HOST,
    port,
    user: USER,
    password: cluster.password,
    database: options.database,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    ssl: false,
  });
  // A connection that breaks also ends, and that is what the callers listen to.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
}
