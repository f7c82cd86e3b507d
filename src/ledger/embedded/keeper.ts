/**
 * The keeper: a small process of its own that starts PostgreSQL for a data folder, restarts it when it
 * dies, and stops it soon after the last client has gone. Several payrun processes share one server
 * this way, and none of them has to outlive the others. Usage: node keeper.ts DATA_FOLDER.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Client } from "pg";

import { systemClock } from "#clock.ts";

import { findBinaries } from "./binaries.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { choosePort, connect, findPostmaster, isAlive, KEEPER, spawnServer } from "./server.ts";

/** How long a server waits for its first client, who asked for it and looks every 50 ms, and for the next after the last. */
const FIRST_CLIENT_MS = 6_000;
const IDLE_MS = 2_000;
const LOOK_EVERY_MS = 500;
/** Until the first client: one that comes and goes between two looks would not be seen to have gone. */
const LOOK_FIRST_MS = 50;
/** A killed server's children hold its memory for a moment, and until they are gone no new one starts. */
const START_TRIES_MAX = 60;
const START_PAUSE_MS = 500;
/** A fast shutdown writes a checkpoint. Past this the server is stopped without one, which is as safe. */
const STOP_MS = 30_000;
/** Any number: one keeper holds this lock in the database `postgres`, where nothing else takes locks. */
const LOCK = 5_140_031;

/** What the keeper calls itself when it is about to stop the server: no keeper any more. */
const LEAVING = "payrun keeper, leaving";

/** Aborted by a signal: stop the server and go. */
const told = new AbortController();

async function keep(dataDir: string): Promise<void> {
  const cluster = await openCluster(dataDir);
  for (;;) {
    const client = await connectOrStart(cluster, dataDir);
    if (!client) return;
    if (!(await isOnlyKeeper(client))) return say("another keeper watches");
    say("watching");
    const seen = await watch(client, cluster);
    if (seen === "unused") return stop(cluster);
    say("the server has gone; starting it again");
  }
}

/** Undefined when there is nothing left to serve: told to stop, or the folder was deleted. */
async function connectOrStart(cluster: Cluster, dataDir: string): Promise<Client | undefined> {
  let tries = 0;
  while (!told.signal.aborted && isThere(cluster)) {
    const postmaster = await findPostmaster(cluster.folder);
    if (postmaster) {
      const client = await connect(cluster, postmaster.port, {
        database: "postgres",
        name: KEEPER,
      });
      if (client) return client;
      // It is starting, recovering or shutting down, and says so to everybody who asks.
      await systemClock.sleep(100);
      continue;
    }
    if (tries++ === START_TRIES_MAX)
      throw new Error(
        `PostgreSQL does not start; the lines above, or ${cluster.folder}/log, say why`,
      );
    if (tries > 1) await systemClock.sleep(START_PAUSE_MS);
    await start(cluster, dataDir);
  }
  // Nobody else would stop what it has started.
  if (tries > 0) await stop(cluster);
  return undefined;
}

/** Starts the server and waits until it is there, or has given up. */
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

/** Of several keepers one watches. The lock goes with the connection, so a killed keeper frees it. */
async function isOnlyKeeper(client: Client): Promise<boolean> {
  const { rows } = await client
    .query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [LOCK])
    .catch(() => ({ rows: [{ mine: true }] })); // it has gone again: look once more
  return rows[0]?.mine === true;
}

/** Returns when nobody needs the server any more, or when it has gone. */
async function watch(client: Client, cluster: Cluster): Promise<"unused" | "gone"> {
  let deadline = systemClock.monotonicMs() + FIRST_CLIENT_MS;
  let pauseMs = LOOK_FIRST_MS;
  while (!told.signal.aborted && isThere(cluster)) {
    const clients = await countClients(client);
    if (clients === undefined) return "gone";
    if (clients > 0) {
      deadline = systemClock.monotonicMs() + IDLE_MS;
      pauseMs = LOOK_EVERY_MS;
    } else if (systemClock.monotonicMs() >= deadline && (await isLeft(client))) {
      return "unused";
    }
    await systemClock.sleep(pauseMs, told.signal);
  }
  return "unused";
}

/**
 * Whether nobody has come since the last look. Whoever comes after this one finds a server that nobody watches, and
 * does not take it for theirs: it would be stopped under them.
 */
async function isLeft(client: Client): Promise<boolean> {
  await client.query(`set application_name = '${LEAVING}'`).catch(() => {});
  if ((await countClients(client)) === 0) return true;
  await client.query(`set application_name = '${KEEPER}'`).catch(() => {});
  return false;
}

const COUNT_CLIENTS = `
  select count(*)::int as clients
    from pg_stat_activity
   where backend_type = 'client backend' and application_name not in ('${KEEPER}', '${LEAVING}')`;

const countClients = async (client: Client): Promise<number | undefined> => {
  try {
    return (await client.query<{ clients: number }>(COUNT_CLIENTS)).rows[0]?.clients;
  } catch {
    return undefined;
  }
};

async function stop(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster.folder);
  // Without its folder there is nothing to look up and nothing to save: it stops by itself.
  if (!postmaster) return say("the folder has gone");

  say("stopping PostgreSQL");
  process.kill(postmaster.pid, "SIGINT");
  const deadline = systemClock.monotonicMs() + STOP_MS;
  while (isAlive(postmaster.pid) && systemClock.monotonicMs() < deadline)
    await systemClock.sleep(50);
  if (isAlive(postmaster.pid)) process.kill(postmaster.pid, "SIGQUIT");
  say("stopped");
}

function isThere(cluster: Cluster): boolean {
  return existsSync(join(cluster.folder, "PG_VERSION"));
}

function say(what: string): void {
  const time = new Date(systemClock.nowMs()).toISOString();
  process.stderr.write(`${time} keeper ${process.pid}: ${what}\n`);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => told.abort());
try {
  await keep(process.argv[2] ?? "");
} catch (error) {
  say(`it gives up: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// A server that was handed to another keeper is still our child, and would keep us.
process.exit();
