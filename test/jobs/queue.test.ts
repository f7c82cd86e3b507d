import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Redis } from "ioredis";
import pg from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { JobProducer, type QueueEngine } from "#jobs/queue.ts";
import { inspectRedis } from "#jobs/redis.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";
import { tickJob } from "#jobs/tick.ts";
import { runAgain, done } from "#jobs/verdict.ts";
import { messageOf } from "#base/log.ts";
import { WatchedClient } from "#postgres/client.ts";
import { serve } from "#workers/serve.ts";
import { type Proxy, startProxy } from "../../proof/chaos/proxy.ts";
import { freshDatabase } from "../support/ledger.ts";
import { type RedisProcess, startRedis } from "../support/servers/redis.ts";

const JOB = { v: 1 as const, batchId: "B1", lane: "L", slot: 0, rank: 1, round: 0 };

/** As PostgreSQL sends them: the login succeeded, and the server waits for a query. */
const LOGGED_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const GOING_FIELDS = Buffer.from("SFATAL\0C57P01\0Munexpected postmaster exit\0\0");
const GOING = Buffer.concat([Buffer.from([0x45, 0, 0, 0, GOING_FIELDS.length + 4]), GOING_FIELDS]);

/** A server that accepts every login with `first`, and disconnects at the first query. */
async function hangingServer(first: Buffer): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(first);
      socket.once("data", () => socket.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgres://payrun:none@127.0.0.1:${port}/payrun?sslmode=disable`;
  return { url, close: () => server.close() };
}

/** As BullMQ leaves a broken schedule: known, but without a next job. */
async function forgetJobs(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("delete from payrun_queue.job");
  await client.end();
}

// An error without a listener would be uncaught and fail the run.
describe("F24 an unreachable database does not end the process", () => {
  test("while the queue is being prepared", async () => {
    const { url, close } = await hangingServer(Buffer.concat([LOGGED_IN, READY]));
    const producer = new JobProducer({ kind: "postgres", url }, () => {});
    await expect(producer.add(submitJob, [JOB])).rejects.toThrow(/terminated|ECONNRESET/);
    await producer.close();
    close();
  });

  test("at the moment it accepts a client", async () => {
    const { url, close } = await hangingServer(Buffer.concat([LOGGED_IN, READY, GOING]));
    const client = new WatchedClient(url);
    await client.connect();
    await expect(client.query("listen jobs")).rejects.toThrow(/not queryable|terminated|exit/);
    close();
  });
});

describe("F24 a database that is away when the queue opens", () => {
  let proxy: Proxy;
  let engine: QueueEngine;
  beforeAll(async () => {
    const url = await freshDatabase();
    proxy = await startProxy({ host: "127.0.0.1", port: Number(new URL(url).port) });
    engine = {
      kind: "postgres",
      url: Object.assign(new URL(url), { port: String(proxy.port) }).href,
    };
    proxy.harm({ bytes: 0, delayMs: 0 });
  });
  afterAll(() => proxy.close());

  test("is used by the producer and the consumer once it is back", async () => {
    const producer = new JobProducer(engine, () => {});
    let worked = 0;
    const flow = async () => {
      worked += 1;
      return done;
    };
    const log = pino({ level: "silent" });
    const consumer = serve(submitJob, flow, { engine, concurrency: 1, log });
    await expect(producer.add(submitJob, [JOB])).rejects.toThrow(/terminated|ECONNRESET/);

    proxy.heal();
    await producer.add(submitJob, [JOB]);
    await expect.poll(() => worked, { timeout: 30_000 }).toBe(1);
    await consumer.close();
    await producer.close();
  });
});

describe("an unreachable Redis", () => {
  const log = pino({ level: "silent" });
  /** Nothing listens at this port. */
  const nobody = async (): Promise<string> => {
    const { url, close } = await hangingServer(Buffer.alloc(0));
    close();
    return `redis://127.0.0.1:${new URL(url).port}`;
  };

  test("is reported immediately to callers of the queue", async () => {
    const url = await nobody();
    const producer = new JobProducer({ kind: "redis", url }, () => {});
    const away = new RegExp(`Redis at ${new URL(url).host} is not responding`);
    await expect(producer.add(submitJob, [JOB])).rejects.toThrow(away);
    await expect(producer.schedule(tickJob, { v: 1 }, 100)).rejects.toThrow(away);
    await expect(producer.inspect([tickJob.queue])).rejects.toThrow(away);
    await producer.close();
  });

  test("lets a consumer stop after its running jobs", async () => {
    const engine = { kind: "redis", url: await nobody() } as const;
    await serve(tickJob, async () => done, { engine, concurrency: 1, log }).close();

    const redis = await startRedis();
    const producer = new JobProducer({ kind: "redis", url: redis.url }, () => {});
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let hasEnded = false;
    const flow = async () => {
      begin();
      await answered;
      hasEnded = true;
      return runAgain(0); // which BullMQ would report to Redis
    };
    const options = { engine: { kind: "redis", url: redis.url }, concurrency: 1, log } as const;
    const consumer = serve(submitJob, flow, options);
    await expect.poll(() => producer.add(submitJob, [JOB]).then(() => true)).toBe(true);
    await begun;
    await redis.stop();
    await expect.poll(() => producer.add(submitJob, [JOB]).catch(() => "away")).toBe("away");
    const closed = consumer.close();
    answer();
    await closed;
    expect(hasEnded).toBe(true);
    await producer.close();
  });
});

describe("F14 a Redis that is killed", () => {
  test("while a queue opens is used once it is back", async () => {
    const redis = await startRedis();
    const producer = new JobProducer({ kind: "redis", url: redis.url }, () => {});
    await producer.add(submitJob, [JOB]);
    redis.stall();
    const opening = producer.add(resolveJob, [JOB]);
    await redis.kill();
    await expect(opening).rejects.toThrow("is not responding");
    await redis.restart();
    await expect.poll(() => producer.add(resolveJob, [JOB]).then(() => true, messageOf)).toBe(true);
    expect(producer.obstacle).toBeNull();
    expect(await producer.inspect([resolveJob.queue])).toMatchObject([{ waiting: 1 }]);
    await producer.close();
    await redis.stop();
  });
});

describe("a Redis that denies access", () => {
  let redis: RedisProcess;
  beforeAll(async () => {
    redis = await startRedis();
    const admin = new Redis(redis.url);
    await admin.call("acl", "setuser", "payrun", "on", ">right", "~*", "+@all", "-info");
    await admin.call("acl", "setuser", "default", "resetpass", ">other");
    admin.disconnect();
  });
  afterAll(() => redis.stop());

  test.each([
    { name: "without a password", user: "", says: "NOAUTH" },
    { name: "with a wrong one", user: "payrun:wrong@", says: "WRONGPASS" },
    { name: "as a user without permission", user: "payrun:right@", says: "NOPERM" },
  ])("is not reported as unreachable: $name", async ({ user, says }) => {
    const url = redis.url.replace("//", `//${user}`);
    const refusal = `Redis at ${new URL(redis.url).host} refused the request: ${says} `;
    await expect(inspectRedis(url, [])).rejects.toThrow(refusal);

    const producer = new JobProducer({ kind: "redis", url }, () => {});
    // The last user may only not read the status: its login succeeds, and its jobs are passed on.
    const told = says === "NOPERM" ? says : refusal;
    await expect
      .poll(() => producer.add(submitJob, [JOB]).then(() => "taken", messageOf))
      .toContain(told);
    expect(producer.obstacle).toContain(told);
    await producer.close();
  });
});

describe("a stalled Redis", () => {
  const log = pino({ level: "silent" });
  let redis: RedisProcess;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.stop());

  test("is reported to viewers and to callers that wait for the queue", async () => {
    const producer = new JobProducer({ kind: "redis", url: redis.url }, () => {});
    await producer.add(submitJob, [JOB]);
    expect(producer.obstacle).toBeNull();
    redis.stall();
    const [looked] = await Promise.allSettled([
      inspectRedis(redis.url, []),
      producer.add(submitJob, [JOB]),
    ]);
    expect(looked).toMatchObject({
      reason: {
        message: `Redis at ${new URL(redis.url).host} is not responding: Command timed out`,
      },
    });
    expect(producer.obstacle).toBe("Command timed out");
    await producer.close();
  });

  test("lets a consumer stop after its running jobs", async () => {
    const producer = new JobProducer({ kind: "redis", url: redis.url }, () => {});
    const begun = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let hasEnded = false;
    const flow = async () => {
      begun.resolve();
      await answered.promise;
      hasEnded = true;
      return runAgain(0);
    };
    const engine = { kind: "redis", url: redis.url } as const;
    const consumer = serve(submitJob, flow, { engine, concurrency: 1, log });
    await expect.poll(() => producer.add(submitJob, [JOB]).then(() => true)).toBe(true);
    await begun.promise;
    redis.stall();
    let isClosed = false;
    const closed = consumer.close().then(() => (isClosed = true));
    await systemClock.sleep(3_000);
    expect(isClosed).toBe(false);
    answered.resolve();
    await closed;
    expect(hasEnded).toBe(true);
    await producer.close();
  });
});

describe.each(["redis", "postgres"] as const)("ticks of the queue on %s", (kind) => {
  test("continue however often they are requested, and after their jobs were lost", async () => {
    const redis = kind === "redis" ? await startRedis() : null;
    const url = redis?.url ?? (await freshDatabase());
    const engine: QueueEngine = { kind, url };
    const producer = new JobProducer(engine, () => {});
    const keep = () => producer.schedule(tickJob, { v: 1 }, 100);
    await expect.poll(() => keep().then(() => true), { timeout: 30_000 }).toBe(true);
    const queue = await producer.queue(tickJob.queue);
    const onQueue = async () => (await queue.getJobs(["delayed", "waiting"])).filter(Boolean);
    const [first] = await onQueue();
    // BullMQ loses the schedule on PostgreSQL when it is written while a tick is taken (seen one
    // time in five).
    await Promise.all([keep(), keep()]);
    const again = await onQueue();
    expect(again.map(({ id, timestamp }) => ({ id, timestamp }))).toEqual([
      { id: first?.id, timestamp: first?.timestamp },
    ]);

    let ticks = 0;
    const tick = async () => {
      ticks += 1;
      return done;
    };
    const log = pino({ level: "silent" });
    const consumer = serve(tickJob, tick, { engine, concurrency: 1, log });
    const expectTicks = async () => {
      const before = ticks;
      const more = () => keep().then(() => ticks - before);
      await expect.poll(more, { timeout: 30_000 }).toBeGreaterThan(3);
    };
    await expectTicks();
    await (redis ? redis.flushall() : forgetJobs(url));
    await expectTicks();
    await consumer.close();
    await producer.close();
    await redis?.stop();
  });
});
