import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { backendsOver } from "#jobs/postgres-queue.ts";
import { JobProducer, type QueueEngine } from "#jobs/queue.ts";
import { PREFIX } from "#jobs/redis.ts";
import { submitJob } from "#jobs/submit.ts";
import { done } from "#jobs/verdict.ts";
import { serve } from "#workers/serve.ts";
import { eventually } from "../support/servers/eventually.ts";
import { freshDatabase } from "../support/ledger.ts";
import { startRedis } from "../support/servers/redis.ts";

const JOB = { v: 1 as const, batchId: "B1", lane: "L", slot: 0, rank: 1, round: 0 };
/** Jobs that an older or newer payrun, or another program, may have left in the queue. */
const OTHERS = [{ ...JOB, v: 2 }, { payoutId: 7 }, { ...JOB, payouts: ["PR1"] }, "B1", null];

/**
 * Adds a job of another version, then one of ours. Returns what the flow received and what remains.
 */
async function dropped(engine: QueueEngine, queue: Queue): Promise<unknown> {
  await queue.addBulk(OTHERS.map((data) => ({ name: submitJob.queue, data })));
  const producer = new JobProducer(engine, () => {});
  await producer.add(submitJob, [JOB]);
  const given: unknown[] = [];
  const flow = async (payload: unknown) => {
    given.push(payload);
    return done;
  };
  const served = serve(submitJob, flow, { engine, concurrency: 1, log: pino({ level: "silent" }) });
  const count = async () => Object.values(await queue.getJobCounts()).reduce((a, b) => a + b, 0);
  await eventually(
    "our job is done and none is left",
    async () => given.length > 0 && (await count()) === 0,
  );
  await Promise.all([served.close(), producer.close()]);
  await queue.close();
  return given;
}

describe("F21 drops jobs of another version without delaying ours", () => {
  test("on Redis", async () => {
    const { url, stop } = await startRedis();
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue(submitJob.queue, { connection, prefix: PREFIX });
    expect(await dropped({ kind: "redis", url }, queue)).toEqual([JOB]);
    connection.disconnect();
    await stop();
  });

  test("on PostgreSQL", async () => {
    const url = await freshDatabase();
    const engine = { kind: "postgres", url } as const;
    const queue = new Queue(submitJob.queue, { connection: {} }, backendsOver(engine));
    expect(await dropped(engine, queue as unknown as Queue)).toEqual([JOB]);
  });
});
