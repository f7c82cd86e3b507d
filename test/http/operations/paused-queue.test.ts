import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobProducer } from "#jobs/queue.ts";
import { PREFIX } from "#jobs/redis.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { type RedisProcess, startRedis } from "../../support/servers/redis.ts";

let redis: RedisProcess;
let queues: JobProducer;
let server: TestServer;
beforeAll(async () => {
  redis = await startRedis();
  const engine = { kind: "redis", url: redis.url } as const;
  queues = new JobProducer(engine, () => {});
  server = await startTestServer({ queues, engine }, ["viewer"]);
});
afterAll(async () => {
  await server.close();
  await queues.close();
  await redis.stop();
});

test("raises an alarm for a queue paused in Redis until it is resumed", async () => {
  const alarms = async () => (await server.as("viewer").get("/api/operations")).json.alarms;
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  const queue = new Queue("payrun-submit", { connection, prefix: PREFIX });
  const paused = {
    code: "queue_unavailable",
    level: "critical",
    says: "Redis contains paused queues: payrun-submit",
  };
  await queue.pause();
  expect(await alarms()).toContainEqual(expect.objectContaining(paused));
  // As the runbook says.
  await connection.hdel(`${PREFIX}:payrun-submit:meta`, "paused");
  const isQuiet = async () =>
    !(await alarms()).some(({ says }: { says: string }) => says === paused.says);
  await eventually("the alarm ends", isQuiet);
  await queue.close();
  connection.disconnect();
});
