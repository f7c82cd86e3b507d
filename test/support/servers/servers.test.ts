import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";

import { freePort, holdPort } from "#ledger/embedded/port.ts";
import type { RoleAddresses } from "#ledger/store/owner-role.ts";
import { onFreePort } from "./ports.ts";
import { type PostgresServer, query, startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test("starts each database as a copy of one that was prepared once", async () => {
  let prepared = 0;
  const prepare = async ({ ownerUrl }: RoleAddresses): Promise<void> => {
    prepared += 1;
    await query(ownerUrl, "create table place (name text)");
  };
  const [one, two] = [
    await postgres.createDatabase(prepare),
    await postgres.createDatabase(prepare),
  ];
  await query(one.url, "insert into place values ('one')");

  expect(await query(one.url, "select name from place")).toEqual([{ name: "one" }]);
  expect(await query(two.url, "select name from place")).toEqual([]);
  expect(prepared).toBe(1);
  await one.drop();
  await expect(query(one.url, "select 1")).rejects.toThrow("does not exist");
});

test("keeps committed data through a kill of PostgreSQL", async () => {
  const { url } = await postgres.createDatabase();
  await query(url, "create table kept as select 42 as answer");
  await postgres.kill();
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED");
  await postgres.restart();
  expect(await query(url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("keeps Redis's port through a kill, and its data with append-only mode", async () => {
  const server = await startRedis({ appendonly: true });
  const client = new Redis(server.url);
  client.on("error", () => {});
  await client.set("kept", "1");
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // appendfsync everysec
  await server.restart();
  expect(await client.get("kept")).toBe("1");
  expect(await client.config("GET", "maxmemory-policy")).toContain("noeviction");
  await server.flushall();
  expect(await client.get("kept")).toBeNull();
  client.disconnect();
  await server.stop();
});

test("starts a server on another port when its port is taken", async () => {
  const ports: number[] = [];
  const started = await onFreePort(async (port) => {
    ports.push(port);
    return ports.length < 3 ? null : port;
  });
  expect(ports.at(-1)).toBe(started);
  expect(new Set(ports).size).toBe(3);
  await expect(onFreePort(async () => null)).rejects.toThrow("10 free ports in a row");
});

test("keeps a held port taken until it is released", async () => {
  const held = await holdPort();
  expect(await freePort(held?.port)).toBeNull();
  expect(await holdPort(held?.port)).toBeNull();
  await held?.release();
  expect(await freePort(held?.port)).toBe(held?.port);
});
