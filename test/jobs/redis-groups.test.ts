import { Cluster, type Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JobProducer } from "#jobs/queue.ts";
import { inspectRedis } from "#jobs/redis.ts";
import { connectRedis } from "#jobs/redis-client.ts";
import { submitJob } from "#jobs/submit.ts";
import { messageOf } from "#base/log.ts";
import { done } from "#jobs/verdict.ts";
import { QUEUES } from "#views/operations/queue-status.ts";
import { serve } from "#workers/serve.ts";
import { startCluster } from "../support/redis-groups/cluster.ts";
import type { RedisGroup } from "../support/redis-groups/group.ts";
import { type SentinelGroup, startSentinels } from "../support/redis-groups/sentinels.ts";
import { runHere } from "../support/servers/payrun.ts";

const JOB = { v: 1 as const, batchId: "B1", lane: "L", slot: 0, rank: 1, round: 0 };
const log = pino({ level: "silent" });

/** Adds jobs until one is worked on. */
async function workOn(url: string): Promise<void> {
  const engine = { kind: "redis", url } as const;
  const producer = new JobProducer(engine, () => {});
  const { promise: worked, resolve } = Promise.withResolvers<void>();
  const consumer = serve(submitJob, async () => (resolve(), done), { engine, concurrency: 1, log });
  const add = () => producer.add(submitJob, [JOB]).catch(() => {});
  await add();
  const adding = setInterval(() => void add(), 500);
  await worked;
  clearInterval(adding);
  await consumer.close();
  await producer.close();
}

/** As ioredis does when it learns of a failover while it is looking for the primary. */
async function giveUp(connection: Redis): Promise<void> {
  const ended = new Promise((end) => connection.once("end", () => end(null)));
  connection.once("connecting", () => connection.disconnect(true));
  connection.disconnect(true);
  await ended;
}

describe("Sentinel", () => {
  let group: SentinelGroup;
  beforeAll(async () => {
    group = await startSentinels({ downAfterMs: 1_000 });
  }, 120_000);
  afterAll(() => group.stop());

  test("holds the queues, without anything to warn about", async () => {
    await workOn(group.url);
    const { kind, primaries, refusal, concerns } = await inspectRedis(group.url, QUEUES);
    expect({ kind, refusal, concerns }).toEqual({ kind: "sentinel", refusal: null, concerns: [] });
    expect(primaries).toMatchObject([{ isPrimary: true, policy: "noeviction", appendOnly: true }]);
  });

  test("is named in errors by its sentinels, without the password", async () => {
    const url = group.url.replace("//", "//:hunter2@").replace(/\/[\w-]+$/, "/other");
    const looked = inspectRedis(url, QUEUES);
    await expect(looked).rejects.toThrow(
      /^Redis "other" \(sentinels 127\.0\.0\.1:\d+, .*not responding/,
    );
    await expect(looked).rejects.not.toThrow("hunter2");
  });

  test("warns in doctor about a silent sentinel and a slow failover", async () => {
    const [first, second] = group.sentinels;
    const setting = (ms: number) =>
      second?.ask((client) =>
        client.call("SENTINEL", "SET", "payrun-queue", "down-after-milliseconds", ms),
      );
    await first?.signal("SIGKILL");
    await setting(30_000);
    const { stdout } = await runHere(["doctor", "--json"], { REDIS_URL: group.url });
    await setting(1_000);
    await first?.start();
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    expect(findings.find(({ name }) => name === "queue")).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/^Redis [\d.]+ \(Sentinel\)$/),
    });
    const failover = findings.filter(({ name }) => name === "failover");
    expect(failover.map(({ state }) => state)).toEqual(["warning", "warning"]);
    expect(failover.map(({ found }) => found)).toEqual([
      expect.stringContaining(`the sentinel at 127.0.0.1:${first?.port} gives no answer`),
      "Sentinel waits 30000 ms before it replaces a primary",
    ]);
  });

  test("is followed by an open connection to its next primary, until the connection is closed", async () => {
    const client = connectRedis(group.url, { maxRetriesPerRequest: null });
    client.on("error", () => {});
    // As BullMQ does for each worker, which waits for jobs on it.
    const duplicate = (client as Redis).duplicate();
    duplicate.on("error", () => {});
    expect(await client.set("known", "1")).toBe("OK");
    expect(await duplicate.ping()).toBe("PONG");
    const former = await group.primary();
    await former.signal("SIGKILL");
    await group.replaced(former);
    // ioredis refuses waiting commands if it learns of the failover while looking for the primary.
    const setAgain = () => client.set("known", "2").catch(() => null);
    await expect.poll(setAgain, { timeout: 60_000 }).toBe("OK");
    await workOn(group.url);
    await giveUp(duplicate);
    await expect.poll(() => duplicate.ping().catch(messageOf), { timeout: 10_000 }).toBe("PONG");
    await former.start();
    client.disconnect();
    await duplicate.quit();
    // ioredis leaves a closed client that was waiting for its next attempt in "reconnecting".
    const areClosed = () =>
      [client, duplicate].every(({ status }) => status === "end" || status === "reconnecting");
    await expect.poll(areClosed, { timeout: 5_000 }).toBe(true);
    // Several times as long as the longest wait for the next attempt.
    for (let at = 0; at < 150; at += 1) {
      await new Promise((wake) => setTimeout(wake, 10));
      expect(areClosed()).toBe(true);
    }
  }, 120_000);
});

describe("Cluster", () => {
  let group: RedisGroup;
  beforeAll(async () => {
    group = await startCluster({ downAfterMs: 1_000 });
  }, 120_000);
  afterAll(() => group.stop());

  test("holds the queues on several primaries", async () => {
    await workOn(group.url);
    const { kind, primaries, refusal, concerns } = await inspectRedis(group.url, QUEUES);
    expect({ kind, refusal, concerns }).toEqual({ kind: "cluster", refusal: null, concerns: [] });
    expect(primaries).toHaveLength(3);

    const producer = new JobProducer({ kind: "redis", url: group.url }, () => {});
    const facts = await producer.inspect(QUEUES);
    expect(facts.map(({ name }) => name)).toEqual(QUEUES);
    await expect(producer.redis()).resolves.toHaveLength(3);
    await producer.close();
    const holders = await Promise.all(
      group.nodes.map(async (node) => ({
        keys: await node.ask((client) => client.keys("{payrun:*")),
        role: (await node.ask((client) => client.role()))[0],
      })),
    );
    const primary = holders.filter(({ role }) => role === "master");
    expect(primary.filter(({ keys }) => keys.length > 0).length).toBeGreaterThan(0);
  });

  test("is reported in doctor with its primaries, and when it is full", async () => {
    const queueIn = async () => {
      const { stdout } = await runHere(["doctor", "--json"], { REDIS_URL: group.url });
      const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
      return findings.find(({ name }) => name === "queue");
    };
    expect(await queueIn()).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/^Redis [\d.]+ \(Cluster with 3 primaries\)$/),
    });
    const primary = await group.primary();
    await primary.ask((client) => client.config("SET", "maxmemory", "1000"));
    expect(await queueIn()).toMatchObject({
      state: "broken",
      found: expect.stringContaining("is full and does not accept jobs"),
    });
    await primary.ask((client) => client.config("SET", "maxmemory", "0"));
  });

  test("is used through one of its nodes", async () => {
    const one = `redis+cluster://127.0.0.1:${group.nodes[5]?.port}`;
    const client = connectRedis(one, { maxRetriesPerRequest: 1 });
    expect(client).toBeInstanceOf(Cluster);
    expect(await client.set("{payrun:submit}:x", "1")).toBe("OK");
    client.disconnect();
  });
});
