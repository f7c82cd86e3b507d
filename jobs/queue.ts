import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { systemClock } from "#clock.ts";
import type { Hints } from "#jobs/hints.ts";
import type { JobContract } from "#jobs/job.ts";
import { backendsOver, type PostgresEngine } from "#jobs/postgres-queue.ts";
import { PREFIX, type RedisFacts, redisFacts, whyAway } from "#jobs/redis.ts";
import { wordsOf } from "#log.ts";

/** Where jobs wait. */
export type QueueEngine = { readonly kind: "redis"; readonly url: string } | PostgresEngine;

/** The oldest job is looked for among this many of those with a rank: they stand by rank, not by age. */
const RANKED_SEEN = 200;
/** How long whoever adds a hint waits for a connection that is not there yet. */
const CONNECTED_MS = 1_000;
/** So long after it was due, a tick has been lost and not only waited for; so far ahead, a clock was wrong. */
const TICK_LOST_MS = 2_000;

/** The only BullMQ producer. */
export class Producer implements Hints {
  readonly #queues = new Map<string, Promise<Queue>>();
  readonly #engine: QueueEngine;
  readonly #redis: Redis | null;
  readonly #onError: (error: Error) => void;
  #connecting: Promise<unknown> | null = null;
  #obstacle: string | null = null;
  /** What went wrong last between Redis and us, since it was ready. */
  #said: Error | null = null;

  constructor(engine: QueueEngine, onError: (error: Error) => void) {
    this.#engine = engine;
    this.#onError = onError;
    // Fails within a second: whoever adds a hint must not wait for a Redis that is away.
    this.#redis =
      engine.kind === "redis"
        ? new Redis(engine.url, {
            maxRetriesPerRequest: 1,
            enableOfflineQueue: false,
            connectTimeout: 5_000,
            commandTimeout: 10_000,
          })
        : null;
    this.#redis?.on("error", (error: Error) => {
      this.#said = error;
      onError(error);
    });
    this.#redis?.on("ready", () => {
      this.#said = null;
    });
  }

  async add<Payload>(job: JobContract<Payload>, payloads: readonly Payload[]): Promise<void> {
    const jobs = payloads.map((payload) => ({
      name: job.queue,
      data: payload,
      opts: {
        jobId: job.idOf(payload),
        ...(job.rankOf ? { priority: job.rankOf(payload) } : {}),
        attempts: 1, // when to try again is written in the ledger
        removeOnComplete: true,
        removeOnFail: true,
      },
    }));
    const [only, ...more] = jobs;
    // For a list BullMQ makes two temporary tables on PostgreSQL: four times the work, and all connections are told of them.
    await this.#ask<unknown>(job.queue, (queue) =>
      only && more.length === 0 ? queue.add(only.name, only.data, only.opts) : queue.addBulk(jobs),
    );
  }

  /**
   * BullMQ waits for ever for a Redis that was never there, and its client speaks of streams.
   *
   * @throws with the server's address where Redis is away.
   */
  async #ask<Answer>(name: string, ask: (queue: Queue) => Promise<Answer>): Promise<Answer> {
    try {
      const queue = await this.queue(name);
      await this.#connected();
      const answer = await ask(queue);
      this.#obstacle = null;
      return answer;
    } catch (error) {
      if (!this.#redis || this.#redis.status === "ready") {
        this.#obstacle = wordsOf(error);
        throw error;
      }
      this.#obstacle = whyAway(this.#engine.url, this.#said);
      throw new Error(`the queue cannot be reached: ${this.#obstacle}`, { cause: error });
    }
  }

  /** Why the queue could not be asked the last time; null: it could. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /** A process that has just started is connected in a moment, or not at all. All wait for the same. */
  async #connected(): Promise<void> {
    const redis = this.#redis;
    if (!redis || redis.status === "ready") return;
    this.#connecting ??= once(redis, "ready", {
      signal: AbortSignal.timeout(CONNECTED_MS),
    }).finally(() => {
      this.#connecting = null;
    });
    await this.#connecting;
  }

  /**
   * Puts the job on its queue again and again. Asked for again, it goes on as it does: only a schedule that is missing,
   * stands still or was another one is written, since on PostgreSQL BullMQ loses it when two write it at once.
   */
  async every<Payload>(
    job: JobContract<Payload>,
    payload: NoInfer<Payload>,
    everyMs: number,
  ): Promise<void> {
    await this.#ask(job.queue, async (queue) => {
      const { every, next, template: known } = (await queue.getJobScheduler(job.queue)) ?? {};
      const isGoing = Math.abs(Number(next) - systemClock.nowMs()) < everyMs + TICK_LOST_MS;
      if (isGoing && every === everyMs && isDeepStrictEqual(known?.data, payload)) return;
      const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
      const template = { name: job.queue, data: payload, opts };
      await queue.upsertJobScheduler(job.queue, { every: everyMs }, template);
    });
  }

  /** How each queue stands. Rejects when it cannot be asked. */
  async look(names: readonly string[]): Promise<QueueFacts[]> {
    return Promise.all(
      names.map(async (name) => {
        const [isPaused, counts, [oldest], ranked] = await this.#ask(name, (queue) =>
          Promise.all([
            queue.isPaused(),
            queue.getJobCounts("waiting", "prioritized", "active", "delayed"),
            queue.getWaiting(0, 0),
            queue.getPrioritized(0, RANKED_SEEN - 1),
          ]),
        );
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
        const since = [oldest, ...ranked].flatMap((job) => (job ? [job.timestamp] : []));
        const oldestAtMs = since.length === 0 ? null : Math.min(...since);
        return { name, isPaused, waiting: waiting + prioritized, active, delayed, oldestAtMs };
      }),
    );
  }

  /** What matters about the Redis below; null: the jobs are in PostgreSQL. */
  async redis(): Promise<RedisFacts | null> {
    return this.#redis ? redisFacts(await this.#redis.info()) : null;
  }

  async close(): Promise<void> {
    const queues = [...this.#queues.values()];
    await Promise.allSettled(queues.map(async (queue) => (await queue).close()));
    this.#redis?.disconnect();
  }

  /** For the board, which shows it and may change nothing. */
  queue(name: string): Promise<Queue> {
    const known = this.#queues.get(name);
    if (known) return known;
    const opening = this.#open(name);
    this.#queues.set(name, opening);
    opening.catch(() => this.#queues.delete(name));
    return opening;
  }

  async #open(name: string): Promise<Queue> {
    const engine = this.#engine;
    const queue =
      engine.kind === "redis"
        ? new Queue(name, { connection: this.#redis as Redis, prefix: PREFIX })
        : (new Queue(name, { connection: {} }, backendsOver(engine)) as unknown as Queue);
    queue.on("error", this.#onError);
    if (engine.kind === "redis") return queue;
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      // BullMQ tries to reach PostgreSQL once for each queue: only another one tries again (F24).
      await queue.close();
      throw error;
    }
  }
}

/** How many jobs of a queue wait, and for how long. */
export interface QueueFacts {
  readonly name: string;
  /** Its workers take no jobs. payrun pauses no queue: somebody else did, with access to Redis. */
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** When the job that is next was added. */
  readonly oldestAtMs: number | null;
}
