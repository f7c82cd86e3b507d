import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { once } from "node:events";
import type { Client, Pool } from "pg";
import { openPool } from "#postgres/pool.ts";
import { eventually } from "../support/servers/eventually.ts";
import {
  type Replica,
  type Replication,
  startReplication,
} from "../support/servers/replication.ts";

let servers: Replication;
let primary: Replica;
let standby: Replica;
let address: string;
const pools: Pool[] = [];

beforeAll(async () => {
  servers = await startReplication();
  primary = servers.primary;
  await primary.query("create table seen (name text)");
  await renewStandby("b");
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});
afterAll(() => servers.stop());

async function renewStandby(name: string): Promise<void> {
  standby = await servers.standbyOf(primary, name);
  address = servers.addressOf([primary, standby]);
}

/** Makes the standby the primary and starts a new standby. */
async function swap(name: string): Promise<void> {
  await primary.end("SIGKILL");
  primary = standby;
  await renewStandby(name);
}

const pool = (url = address): Pool => {
  const opened = openPool(url, { purpose: "ledger", size: 2, options: "" });
  pools.push(opened);
  return opened;
};
const portOf = async (from: Pool): Promise<number> =>
  (await from.query("select inet_server_port() as port")).rows[0].port;
const write = (to: Pool) => to.query("insert into seen values ('x')");
/** Milliseconds until the pool can write again. */
async function untilWritten(to: Pool): Promise<number> {
  const from = performance.now();
  await eventually(
    "a write",
    () =>
      write(to).then(
        () => true,
        () => false,
      ),
    30_000,
  );
  return performance.now() - from;
}

test("connects to the host that accepts writes, in any order of the hosts", async () => {
  expect(await portOf(pool(servers.addressOf([standby, primary])))).toBe(primary.port);
  expect(await portOf(pool(servers.addressOf([primary, standby])))).toBe(primary.port);
});

test("finds the primary although the first host is unreachable", async () => {
  const dead = { ...standby, port: 1 };
  expect(await portOf(pool(servers.addressOf([dead, primary])))).toBe(primary.port);
});

test("says why no host can be used", async () => {
  const only = pool(servers.addressOf([standby]));
  await expect(only.query("select 1")).rejects.toThrow(
    `no host of the database accepts writes: 127.0.0.1:${standby.port} (read-only)`,
  );
});

test("F25 writes to the promoted standby within seconds after the primary was killed", async () => {
  const opened = pool();
  await write(opened);
  await primary.end("SIGKILL");
  await standby.promote();
  expect(await untilWritten(opened)).toBeLessThan(5_000);
  expect(await portOf(opened)).toBe(standby.port);
  await swap("c");
}, 120_000);

test("F24 leaves a host that says nothing, as soon as another one is promoted", async () => {
  const opened = pool();
  await write(opened);
  await primary.freeze();
  const waiting = write(opened);
  await standby.promote();
  await expect(waiting).rejects.toThrow(`the database's primary is now 127.0.0.1:${standby.port}`);
  expect(await untilWritten(opened)).toBeLessThan(5_000);
  await swap("d");
}, 120_000);

test("F25 closes its connections to an old primary that still runs", async () => {
  const opened = pool();
  const [first, second] = await Promise.all([opened.connect(), opened.connect()]);
  expect((await first.query("select inet_server_port() as port")).rows[0].port).toBe(primary.port);
  await standby.promote();
  await eventually("the promotion", async () => {
    const [row] = await standby.query<{ is: boolean }>("select pg_is_in_recovery() as is");
    return row?.is === false;
  });
  // One connection breaks. The next one finds the promoted standby.
  const { pid } = (await first.query("select pg_backend_pid() as pid")).rows[0];
  const { connection } = first as unknown as Client;
  // The client ends when the server says so, which is before its connection closes.
  const released = once(connection, "errorMessage");
  connection.once("errorMessage", () => first.release(true));
  await primary.query(`select pg_terminate_backend(${pid})`);
  await released;
  try {
    expect(await portOf(opened)).toBe(standby.port);
    await expect(second.query("select 1")).rejects.toThrow(/closed|not queryable|terminated/);
  } finally {
    second.release(true);
  }
  await swap("e");
}, 120_000);

test("leaves a server that has become read-only", async () => {
  const opened = pool();
  await write(opened);
  await primary.set("default_transaction_read_only", "on");
  await eventually(
    "a refusal",
    () =>
      write(opened).then(
        () => false,
        () => true,
      ),
    10_000,
  );
  await standby.promote();
  expect(await untilWritten(opened)).toBeLessThan(5_000);
  expect(await portOf(opened)).toBe(standby.port);
}, 120_000);
