import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Producer } from "#jobs/queue.ts";
import { startDesk, type TestDesk } from "../support/desk.ts";
import { type RedisProcess, startRedis } from "../support/redis.ts";

let redis: RedisProcess;
let queues: Producer;
let desk: TestDesk;
beforeAll(async () => {
  redis = await startRedis();
  const engine = { kind: "redis", url: redis.url } as const;
  queues = new Producer(engine, () => {});
  desk = await startDesk({ queues, engine }, ["viewer"]);
});
afterAll(async () => {
  await desk.close();
  await queues.close();
  await redis.stop();
});

test("F18 the operations page rings for a Redis that answers and is full", async () => {
  const client = new Redis(redis.url);
  await client.config("SET", "maxmemory", "1000");
  client.disconnect();
  const { json } = await desk.as("viewer").get("/api/operations");
  expect(json.alarms).toContainEqual({
    code: "queue_away",
    level: "stop",
    says: expect.stringMatching(/^Redis is full, and takes no jobs: \d+ of 1000 bytes are used$/),
  });
});
