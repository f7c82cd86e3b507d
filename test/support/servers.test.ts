import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type PostgresServer, query, startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test("each database starts as a copy of what was prepared once", async () => {
  let prepared = 0;
  const prepare = async (url: string): Promise<void> => {
    prepared += 1;
    await query(url, "create table place (name text)");
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

test("what was committed survives a kill of PostgreSQL", async () => {
  const { url } = await postgres.createDatabase();
  await query(url, "create table kept as select 42 as answer");
  await postgres.kill();
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED");
  await postgres.restart();
  expect(await query(url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("Redis keeps its port over a kill, and its data when it appends", async () => {
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
