import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Client } from "pg";

import { systemClock } from "#base/clock.ts";
import type { RoleAddresses } from "#ledger/store/owner-role.ts";
import { messageOf } from "#base/log.ts";
import { recordServerPort } from "#postgres/client.ts";

import { type Cluster, DATABASE, ensureCluster, freeMb } from "./cluster.ts";
import { NotStarted } from "./not-started.ts";
import { connect, findPostmaster, SUPERVISOR_NAME, urlsOf } from "./server.ts";

/**
 * Maximum time in milliseconds for a shutdown in progress, a recovery after a power loss and a
 * start.
 */
const START_MS = 30_000;
/** Interval at which a killed supervisor is detected and replaced. */
const CHECK_EVERY_MS = 3_000;
/** Interval at which a failed start is retried. */
const TRY_EVERY_MS = 5_000;
/** Disk space in MB for two segments of the server's log and the writes of a recovery. */
const NEEDED_MB = 50;
const LOG_SIZE_MAX = 1_000_000;

/**
 * One open connection per process. It shows that the server is still needed, even between queries.
 */
interface Lease {
  readonly client: Client;
  readonly port: number;
}

const leases = new Map<string, Promise<Lease>>();

/**
 * Makes sure that the PostgreSQL of the data folder runs, and keeps it running as long as this
 * process runs. Any number of processes may share the folder. The first one starts the server.
 */
export async function startEmbedded(dataDir: string): Promise<RoleAddresses> {
  const folder = resolve(dataDir);
  const cluster = await ensureCluster(folder);
  let lease = leases.get(cluster.folder);
  if (!lease) {
    lease = takeLease(folder, cluster);
    leases.set(cluster.folder, lease);
    lease.catch(() => leases.delete(cluster.folder));
  }
  return urlsOf(cluster, (await lease).port);
}

async function takeLease(dataDir: string, cluster: Cluster): Promise<Lease> {
  const lease = await connectOrStart(dataDir, cluster);
  detach(lease.client);
  void renew(dataDir, cluster, lease);
  return lease;
}

/** Stops the lease from keeping an otherwise idle process running. */
function detach(client: Client & { unref?: () => void }): void {
  client.unref?.(); // missing in the types of pg
}

/**
 * Returns when the server answers and a supervisor watches it that counts this process as a client.
 */
async function connectOrStart(dataDir: string, cluster: Cluster): Promise<Lease> {
  const deadline = systemClock.monotonicMs() + START_MS;
  let keeper: ChildProcess | undefined;
  let lease: Lease | undefined;
  while (systemClock.monotonicMs() < deadline) {
    lease ??= await tryConnect(cluster);
    const watched = lease && (await isWatched(lease.client));
    if (lease && watched) return lease;
    if (watched === undefined) lease = undefined;

    // One at a time: a supervisor that exited has found another one, or has logged the reason for
    // its failure.
    if (keeper === undefined || keeper.exitCode !== null) keeper = spawnSupervisor(dataDir);
    await systemClock.sleep(50);
  }
  throw new NotStarted(
    `The embedded PostgreSQL in ${cluster.folder} did not start within ${START_MS / 1000} s.\n${lastLogLines(dataDir)}\nIt needs about ${NEEDED_MB} MB of disk space, and ${await freeMb(cluster.folder)} MB are free. See ${logFile(dataDir)} and ${cluster.folder}/log for details.`,
  );
}

async function tryConnect(cluster: Cluster): Promise<Lease | undefined> {
  const postmaster = await findPostmaster(cluster.folder);
  if (!postmaster?.ready) return undefined;
  const options = { database: DATABASE, name: "payrun lease" };
  const client = await connect(cluster, postmaster.port, options);
  return client && { client, port: postmaster.port };
}

/**
 * Runs for the life of this process. Replaces a killed supervisor, and a server that died with it.
 */
async function renew(dataDir: string, cluster: Cluster, first: Lease): Promise<void> {
  let { client } = first;
  for (;;) {
    const watched = await isWatched(client);
    if (watched === false) spawnSupervisor(dataDir);
    if (watched === undefined) {
      // The server has gone. The supervisor restarts it. If the supervisor was killed as well,
      // start another one.
      await client.end().catch(() => {});
      const lease = await startAgain(dataDir, cluster);
      client = lease.client;
      recordServerPort(first.port, lease.port);
      detach(client);
    }
    await idle(CHECK_EVERY_MS, client);
  }
}

function startAgain(dataDir: string, cluster: Cluster): Promise<Lease> {
  const start = () => {
    const lease = connectOrStart(dataDir, cluster);
    leases.set(cluster.folder, lease);
    // A caller of startEmbedded meanwhile tries as well, and gets the error.
    lease.catch(() => leases.get(cluster.folder) === lease && leases.delete(cluster.folder));
    return lease;
  };
  return retryUntilStarted(start, {
    pause: () => idle(TRY_EVERY_MS),
    say: (text) => process.stderr.write(`${text}\n`),
  });
}

interface RetryOptions {
  readonly pause: () => Promise<void>;
  readonly say: (text: string) => void;
}

/**
 * Retries without limit, because a full disk may have space again an hour later. Reports the first
 * failure and the recovery, each once.
 */
export async function retryUntilStarted<Started>(
  start: () => Promise<Started>,
  { pause, say }: RetryOptions,
): Promise<Started> {
  for (let isTold = false; ; isTold = true) {
    try {
      const started = await start();
      if (isTold) say("The embedded PostgreSQL is running again.");
      return started;
    } catch (error) {
      if (!isTold) say(`${messageOf(error)}\npayrun keeps trying to start it.`);
      await pause();
    }
  }
}

/**
 * Waits for the next check or for the end of the connection, without keeping the process running.
 */
function idle(delayMs: number, client?: Client): Promise<void> {
  return new Promise((wake) => {
    // oxlint-disable-next-line no-restricted-globals -- unlike Clock.sleep it must not hold the process
    const timer = setTimeout(done, delayMs);
    timer.unref();
    client?.once("end", done);
    function done(): void {
      clearTimeout(timer);
      client?.off("end", done);
      wake();
    }
  });
}

const IS_WATCHED = `
  select exists (select from pg_stat_activity where application_name = '${SUPERVISOR_NAME}') as watched`;

/** Returns undefined if the server does not answer. */
async function isWatched(client: Client): Promise<boolean | undefined> {
  try {
    return (await client.query<{ watched: boolean }>(IS_WATCHED)).rows[0]?.watched;
  } catch {
    return undefined;
  }
}

const logFile = (dataDir: string): string => join(dataDir, "keeper.log");

/**
 * Starts a supervisor in a session of its own, which neither Ctrl-C nor the end of the terminal
 * reaches.
 */
function spawnSupervisor(dataDir: string): ChildProcess {
  const log = openLog(dataDir);
  const keeper = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "supervisor.ts"), dataDir],
    // An empty environment: the supervisor needs no variable, and ours contain keys.
    { detached: true, stdio: ["ignore", log, log], cwd: "/", env: {} },
  );
  if (typeof log === "number") closeSync(log);
  keeper.on("error", () => {});
  keeper.unref();
  return keeper;
}

/**
 * Opens the log that every supervisor appends to. A log that has grown too large is overwritten.
 */
function openLog(dataDir: string): number | "ignore" {
  const path = logFile(dataDir);
  try {
    const large = existsSync(path) && statSync(path).size > LOG_SIZE_MAX;
    return openSync(path, large ? "w" : "a", 0o600);
  } catch {
    return "ignore"; // a log owned by root in a user's folder must not stop the user
  }
}

function lastLogLines(dataDir: string): string {
  try {
    return readFileSync(logFile(dataDir), "utf8").trim().split("\n").slice(-5).join("\n");
  } catch {
    return "";
  }
}
