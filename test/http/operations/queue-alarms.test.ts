/** Alarms about queues that answer but do no work. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JobProducer, type QueueEngine } from "#jobs/queue.ts";
import { PREFIX } from "#jobs/redis.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { type Engine, ENGINES } from "../../support/journey.ts";
import { freshDatabase } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";
import { type RedisProcess, startRedis } from "../../support/servers/redis.ts";

const QUEUE = "payrun-submit";

/** A dashboard whose queue uses this engine, for the tests of one group. */
function deskOver(kind: Engine) {
  let redis: RedisProcess | null = null;
  let engine: QueueEngine;
  let queues: JobProducer;
  let server: TestServer;
  beforeAll(async () => {
    redis = kind === "redis" ? await startRedis() : null;
    engine = { kind, url: redis?.url ?? (await freshDatabase()) };
    queues = new JobProducer(engine, () => {});
    server = await startTestServer({ queues, engine }, ["viewer"]);
  });
  afterAll(async () => {
    await server.close();
    await queues.close();
    await redis?.stop();
  });
  return {
    url: () => engine.url,
    pause: async () => (await queues.queue(QUEUE)).pause(),
    /** Text of the alarm about the queue. Null: no alarm. */
    async alarm(): Promise<string | null> {
      const { json } = await server.as("viewer").get("/api/operations");
      const alarms = json.alarms as { code: string; level: string; says: string }[];
      const alarm = alarms.find(({ code }) => code === "queue_unavailable");
      if (alarm) expect(alarm.level).toBe("critical");
      return alarm?.says ?? null;
    },
  };
}

/** As the runbook says. */
const RESUME: Readonly<Record<Engine, (url: string) => Promise<unknown>>> = {
  redis: async (url) => {
    const client = new Redis(url);
    await client.hdel(`${PREFIX}:${QUEUE}:meta`, "paused");
    client.disconnect();
  },
  postgres: (url) =>
    query(url, `delete from payrun_queue.meta where queue = '${QUEUE}' and field = 'paused'`),
};

describe.each(ENGINES)("with the queue in %s", (kind) => {
  const { url, pause, alarm } = deskOver(kind);

  test("raises an alarm for a paused queue until it is resumed", async () => {
    const place = kind === "redis" ? "Redis" : "PostgreSQL";
    expect(await alarm()).toBeNull();
    await pause();
    const says = await eventually("the alarm", async () => (await alarm()) ?? undefined);
    expect(says).toBe(`${place} contains paused queues: ${QUEUE}`);
    await RESUME[kind](url());
    await eventually("the alarm ends", async () => (await alarm()) === null);
  });
});

describe("with a full Redis", () => {
  const { url, alarm } = deskOver("redis");

  test("F18 raises an alarm on the operations page for a Redis that answers but is full", async () => {
    const client = new Redis(url());
    await client.config("SET", "maxmemory", "1000");
    client.disconnect();
    expect(await alarm()).toMatch(
      /^Redis is full and does not accept jobs: \d+ of 1000 bytes are used$/,
    );
  });
});
