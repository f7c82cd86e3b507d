/**
 * The embedded PostgreSQL supervisor: a small separate process that starts PostgreSQL for a data
 * folder, restarts it when it dies, and stops it soon after the last client has disconnected.
 * Several payrun processes share one server this way, and none of them has to outlive the others.
 * Usage: node keeper.ts DATA_FOLDER.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Client } from "pg";

import { systemClock } from "#base/clock.ts";

import { findBinaries } from "./binaries.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import {
  choosePort,
  connect,
  findPostmaster,
  isAlive,
  SUPERVISOR_NAME,
  spawnServer,
} from "./server.ts";

/**
 * Time that a server waits for its first client, which requested the start and checks every 50 ms,
 * and then for the next client after the last one has disconnected.
 */
const FIRST_CLIENT_MS = 6_000;
const IDLE_MS = 2_000;
const CHECK_EVERY_MS = 500;
/**
 * Interval until the first client connects. With a longer one, a client that connects and
 * disconnects between two checks would be missed.
 */
const FIRST_CHECK_EVERY_MS = 50;
/**
 * The children of a killed server hold its memory for a moment. No new server starts until they
 * have exited.
 */
const START_TRIES_MAX = 60;
const START_PAUSE_MS = 500;
/**
 * Maximum time for a fast shutdown, which writes a checkpoint. After it, the server is stopped
 * without one, which is equally safe.
 */
const STOP_MS = 30_000;
/**
 * Arbitrary number. One supervisor holds this lock in the database `postgres`, where no other
 * program takes locks.
 */
const LOCK = 5_140_031;

/**
 * Application name of a supervisor that is about to stop the server and no longer counts as one.
 */
const LEAVING = "payrun supervisor, leaving";

/** Aborted by a signal that asks to stop the server and exit. */
const stopRequested = new AbortController();

async function supervise(dataDir: string): Promise<void> {
  const cluster = await openCluster(dataDir);
  for (;;) {
    const client = await connectOrStart(cluster, dataDir);
    if (!client) return;
    if (!(await isOnlySupervisor(client))) return say("another supervisor is running");
    say("supervising PostgreSQL");
    const seen = await watch(client, cluster);
    if (seen === "unused") return stop(cluster);
    say("the server has stopped; restarting it");
  }
}

/**
 * Returns undefined if there is nothing left to serve: a signal arrived, or the folder was deleted.
 */
async function connectOrStart(cluster: Cluster, dataDir: string): Promise<Client | undefined> {
  let tries = 0;
  while (!stopRequested.signal.aborted && isServerAlive(cluster)) {
    const postmaster = await findPostmaster(cluster.folder);
    if (postmaster) {
      const client = await connect(cluster, postmaster.port, {
        database: "postgres",
        name: SUPERVISOR_NAME,
      });
      if (client) return client;
      // The server is starting, recovering or shutting down, and reports this to every client.
      await systemClock.sleep(100);
      continue;
    }
    if (tries++ === START_TRIES_MAX)
      throw new Error(
        `PostgreSQL does not start; see the lines above or ${cluster.folder}/log for the reason`,
      );
    if (tries > 1) await systemClock.sleep(START_PAUSE_MS);
    await start(cluster, dataDir);
  }
  // This process started the server, so no other process would stop it.
  if (tries > 0) await stop(cluster);
  return undefined;
}

/** Starts the server and waits until it runs or has exited. */
async function start(cluster: Cluster, dataDir: string): Promise<void> {
  const port = await choosePort(cluster.folder);
  const binaries = await findBinaries(cluster.account, dataDir);
  const server = await spawnServer(cluster, binaries, port, { output: "inherit" });
  const ended = new AbortController();
  server.once("exit", () => ended.abort());
  server.once("error", () => ended.abort());
  say(`starting PostgreSQL on port ${port}`);
  while (!ended.signal.aborted && (await findPostmaster(cluster.folder)) === undefined) {
    await systemClock.sleep(20, ended.signal);
  }
}

/**
 * Returns whether this is the only supervisor, because only one of several may watch. The lock ends
 * with the connection, so a killed supervisor releases it.
 */
async function isOnlySupervisor(client: Client): Promise<boolean> {
  const { rows } = await client
    .query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [LOCK])
    .catch(() => ({ rows: [{ mine: true }] })); // the server has gone again: check once more
  return rows[0]?.mine === true;
}

/** Returns when the server is no longer needed, or when it has gone. */
async function watch(client: Client, cluster: Cluster): Promise<"unused" | "gone"> {
  let deadline = systemClock.monotonicMs() + FIRST_CLIENT_MS;
  let pauseMs = FIRST_CHECK_EVERY_MS;
  while (!stopRequested.signal.aborted && isServerAlive(cluster)) {
    const clients = await countClients(client);
    if (clients === undefined) return "gone";
    if (clients > 0) {
      deadline = systemClock.monotonicMs() + IDLE_MS;
      pauseMs = CHECK_EVERY_MS;
    } else if (systemClock.monotonicMs() >= deadline && (await hasNoClients(client))) {
      return "unused";
    }
    await systemClock.sleep(pauseMs, stopRequested.signal);
  }
  return "unused";
}

/**
 * Returns whether no client has connected since the last check. A client that connects after this
 * check sees no supervisor and does not use the server, which would be stopped while in use.
 */
async function hasNoClients(client: Client): Promise<boolean> {
  await client.query(`set application_name = '${LEAVING}'`).catch(() => {});
  if ((await countClients(client)) === 0) return true;
  await client.query(`set application_name = '${SUPERVISOR_NAME}'`).catch(() => {});
  return false;
}

const COUNT_CLIENTS = `
  select count(*)::int as clients
    from pg_stat_activity
   where backend_type = 'client backend' and application_name not in ('${SUPERVISOR_NAME}', '${LEAVING}')`;

const countClients = async (client: Client): Promise<number | undefined> => {
  try {
    return (await client.query<{ clients: number }>(COUNT_CLIENTS)).rows[0]?.clients;
  } catch {
    return undefined;
  }
};

async function stop(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster.folder);
  // Without its folder there is nothing to look up and nothing to save, and the server stops by
  // itself.
  if (!postmaster) return say("the data folder was deleted");

  say("stopping PostgreSQL");
  process.kill(postmaster.pid, "SIGINT");
  const deadline = systemClock.monotonicMs() + STOP_MS;
  while (isAlive(postmaster.pid) && systemClock.monotonicMs() < deadline)
    await systemClock.sleep(50);
  if (isAlive(postmaster.pid)) process.kill(postmaster.pid, "SIGQUIT");
  say("stopped");
}

function isServerAlive(cluster: Cluster): boolean {
  return existsSync(join(cluster.folder, "PG_VERSION"));
}

function say(what: string): void {
  const time = new Date(systemClock.nowMs()).toISOString();
  process.stderr.write(`${time} supervisor ${process.pid}: ${what}\n`);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => stopRequested.abort());
try {
  await supervise(process.argv[2] ?? "");
} catch (error) {
  say(`giving up: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// A server that another supervisor took over is still a child of this process and would keep it
// running.
process.exit();
