import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Client } from "pg";

import { systemClock } from "#clock.ts";
import { wordsOf } from "#log.ts";
import { serverMoved } from "#postgres-client.ts";

import { type Cluster, DATABASE, ensureCluster, freeMb } from "./cluster.ts";
import { NotStarted } from "./not-started.ts";
import { connect, findPostmaster, KEEPER, urlOf } from "./server.ts";

/** Long enough for a shutdown that is under way, a recovery after a power loss and a start. */
const START_MS = 30_000;
/** How soon a killed keeper is replaced. */
const LOOK_EVERY_MS = 3_000;
/** How soon a server that did not start is tried again. */
const TRY_EVERY_MS = 5_000;
/** Two segments of its log, and what a recovery writes. */
const NEEDED_MB = 50;
const LOG_SIZE_MAX = 1_000_000;

/** One open connection per process says that the server is still needed, between all others. */
interface Lease {
  readonly client: Client;
  readonly port: number;
}

const leases = new Map<string, Promise<Lease>>();

/**
 * Makes sure that the PostgreSQL of the data folder runs, and that it goes on running as long as this
 * process does. Any number of processes may share the folder; the first one starts the server.
 */
export async function startEmbedded(dataDir: string): Promise<{ url: string }> {
  const folder = resolve(dataDir);
  const cluster = await ensureCluster(folder);
  let lease = leases.get(cluster.folder);
  if (!lease) {
    lease = takeLease(folder, cluster);
    leases.set(cluster.folder, lease);
    lease.catch(() => leases.delete(cluster.folder));
  }
  return { url: urlOf(cluster, (await lease).port) };
}

async function takeLease(dataDir: string, cluster: Cluster): Promise<Lease> {
  const lease = await connectOrStart(dataDir, cluster);
  letGo(lease.client);
  void renew(dataDir, cluster, lease);
  return lease;
}

/** The lease must not keep a process alive that has nothing else to do. */
function letGo(client: Client & { unref?: () => void }): void {
  client.unref?.(); // missing in the types of pg
}

/** Returns when the server answers and a keeper watches it, which sees us among its clients. */
async function connectOrStart(dataDir: string, cluster: Cluster): Promise<Lease> {
  const deadline = systemClock.monotonicMs() + START_MS;
  let keeper: ChildProcess | undefined;
  let lease: Lease | undefined;
  while (systemClock.monotonicMs() < deadline) {
    lease ??= await tryConnect(cluster);
    const watched = lease && (await isWatched(lease.client));
    if (lease && watched) return lease;
    if (watched === undefined) lease = undefined;

    // One at a time: a keeper that ended has found another one, or has written down why it could not.
    if (keeper === undefined || keeper.exitCode !== null) keeper = spawnKeeper(dataDir);
    await systemClock.sleep(50);
  }
  throw new NotStarted(
    `The embedded PostgreSQL in ${cluster.folder} does not start within ${START_MS / 1000} s.\n${lastWords(dataDir)}\nIt needs some ${NEEDED_MB} MB of its disk, where ${await freeMb(cluster.folder)} MB are free; ${logFile(dataDir)} and ${cluster.folder}/log say more.`,
  );
}

async function tryConnect(cluster: Cluster): Promise<Lease | undefined> {
  const postmaster = await findPostmaster(cluster.folder);
  if (!postmaster?.ready) return undefined;
  const options = { database: DATABASE, name: "payrun lease" };
  const client = await connect(cluster, postmaster.port, options);
  return client && { client, port: postmaster.port };
}

/** For the life of this process: replaces a keeper that was killed, and a server that died with it. */
async function renew(dataDir: string, cluster: Cluster, first: Lease): Promise<void> {
  let { client } = first;
  for (;;) {
    const watched = await isWatched(client);
    if (watched === false) spawnKeeper(dataDir);
    if (watched === undefined) {
      // The server has gone. The keeper restarts it; if that was killed, too, we start another one.
      await client.end().catch(() => {});
      const lease = await startAgain(dataDir, cluster);
      client = lease.client;
      serverMoved(first.port, lease.port);
      letGo(client);
    }
    await idle(LOOK_EVERY_MS, client);
  }
}

function startAgain(dataDir: string, cluster: Cluster): Promise<Lease> {
  const start = () => {
    const lease = connectOrStart(dataDir, cluster);
    leases.set(cluster.folder, lease);
    // Whoever calls startEmbedded meanwhile tries, too, and is told.
    lease.catch(() => leases.get(cluster.folder) === lease && leases.delete(cluster.folder));
    return lease;
  };
  return untilItStarts(start, {
    pause: () => idle(TRY_EVERY_MS),
    say: (text) => process.stderr.write(`${text}\n`),
  });
}

interface Patience {
  readonly pause: () => Promise<void>;
  readonly say: (text: string) => void;
}

/** Tries for ever: a full disk may have room again an hour later. Says once that it fails, and that it works again. */
export async function untilItStarts<Started>(
  start: () => Promise<Started>,
  { pause, say }: Patience,
): Promise<Started> {
  for (let isTold = false; ; isTold = true) {
    try {
      const started = await start();
      if (isTold) say("The embedded PostgreSQL runs again.");
      return started;
    } catch (error) {
      if (!isTold) say(`${wordsOf(error)}\nIt is tried again until it does.`);
      await pause();
    }
  }
}

/** Waits for the next look, or for the end of the connection, without keeping the process alive. */
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
  select exists (select from pg_stat_activity where application_name = '${KEEPER}') as watched`;

/** Undefined when the server does not answer. */
async function isWatched(client: Client): Promise<boolean | undefined> {
  try {
    return (await client.query<{ watched: boolean }>(IS_WATCHED)).rows[0]?.watched;
  } catch {
    return undefined;
  }
}

const logFile = (dataDir: string): string => join(dataDir, "keeper.log");

/** In a session of its own: neither Ctrl-C nor the end of the terminal reaches it. */
function spawnKeeper(dataDir: string): ChildProcess {
  const log = openLog(dataDir);
  const keeper = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "keeper.ts"), dataDir],
    // Nothing of our environment: it needs none, and it holds keys.
    { detached: true, stdio: ["ignore", log, log], cwd: "/", env: {} },
  );
  if (typeof log === "number") closeSync(log);
  keeper.on("error", () => {});
  keeper.unref();
  return keeper;
}

/** Appended to by every keeper; started afresh when it has grown. */
function openLog(dataDir: string): number | "ignore" {
  const path = logFile(dataDir);
  try {
    const large = existsSync(path) && statSync(path).size > LOG_SIZE_MAX;
    return openSync(path, large ? "w" : "a", 0o600);
  } catch {
    return "ignore"; // a log of root in the folder of a user must not stop the user
  }
}

function lastWords(dataDir: string): string {
  try {
    return readFileSync(logFile(dataDir), "utf8").trim().split("\n").slice(-5).join("\n");
  } catch {
    return "";
  }
}
