import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { Queue } from "bullmq";
import { systemClock } from "#base/clock.ts";
import type { Hints } from "#jobs/hints.ts";
import type { JobContract } from "#jobs/job.ts";
import { backendsOver, type PostgresEngine } from "#jobs/postgres-queue.ts";
import { prefixOf, primariesOf, type RedisFacts, whyUnavailable } from "#jobs/redis.ts";
import { addressOf, connectRedis, type RedisClient } from "#jobs/redis-client.ts";
import { messageOf } from "#base/log.ts";

/** Where jobs wait: at a `REDIS_URL`, or in PostgreSQL. */
export type QueueEngine = { readonly kind: "redis"; readonly url: string } | PostgresEngine;

/**
 * Maximum number of prioritised jobs that are examined to find the oldest one: BullMQ orders them
 * by priority, not by age.
 */
const PRIORITISED_EXAMINED_MAX = 200;
/** Time in milliseconds that a producer waits for a connection that is not established yet. */
const CONNECTED_MS = 1_000;
/**
 * Lateness in milliseconds after which a tick counts as lost rather than delayed. A tick further in
 * the future than this was scheduled by a wrong clock.
 */
const TICK_LOST_MS = 2_000;

/** The only BullMQ producer. */
export class JobProducer implements Hints {
  readonly #queues = new Map<string, Promise<Queue>>();
  readonly #engine: QueueEngine;
  readonly #redis: RedisClient | null;
  readonly #onError: (error: Error) => void;
  #connecting: Promise<unknown> | null = null;
  #obstacle: string | null = null;
  /** The last connection error since Redis was ready. */
  #lastConnectionError: Error | null = null;

  constructor(engine: QueueEngine, onError: (error: Error) => void) {
    this.#engine = engine;
    this.#onError = onError;
    // Fail within a second: a producer must not wait for an unreachable Redis.
    this.#redis =
      engine.kind === "redis"
        ? connectRedis(engine.url, {
            maxRetriesPerRequest: 1,
            enableOfflineQueue: false,
            commandTimeout: 10_000,
          })
        : null;
    this.#redis?.on("error", (error: Error) => {
      this.#lastConnectionError = error;
      onError(error);
    });
    this.#redis?.on("ready", () => {
      this.#lastConnectionError = null;
    });
  }

  async add<Payload>(job: JobContract<Payload>, payloads: readonly Payload[]): Promise<void> {
    const jobs = payloads.map((payload) => ({
      name: job.queue,
      data: payload,
      opts: {
        jobId: job.idOf(payload),
        ...(job.rankOf ? { priority: job.rankOf(payload) } : {}),
        attempts: 1, // the ledger records the next retry
        removeOnComplete: true,
        removeOnFail: true,
      },
    }));
    const [only, ...more] = jobs;
    // For a list, BullMQ creates two temporary tables on PostgreSQL. That is four times the work,
    // and it notifies every connection.
    await this.#request<unknown>(job.queue, (queue) =>
      only && more.length === 0 ? queue.add(only.name, only.data, only.opts) : queue.addBulk(jobs),
    );
  }

  /**
   * BullMQ waits forever for a Redis that was never reachable, and its client's errors mention only
   * streams.
   *
   * @throws with the server's address when Redis is unreachable.
   */
  async #request<Answer>(name: string, ask: (queue: Queue) => Promise<Answer>): Promise<Answer> {
    try {
      await this.#connected();
      const queue = await this.queue(name);
      const answer = await ask(queue);
      this.#obstacle = null;
      return answer;
    } catch (error) {
      if (!this.#redis || this.#redis.status === "ready") {
        this.#obstacle = messageOf(error);
        throw error;
      }
      this.#obstacle = whyUnavailable(this.#engine.url, this.#lastConnectionError);
      throw new Error(`the queue cannot be reached: ${this.#obstacle}`, { cause: error });
    }
  }

  /** Reason why the last request to the queue failed. Null: it succeeded. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /**
   * A process that has just started connects within moments or not at all. All callers share the
   * same wait.
   */
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
   * Schedules the job to be added repeatedly. Calling this again keeps the current schedule. The
   * schedule is written only when it is missing, has stopped or differs, because on PostgreSQL
   * BullMQ loses it when two processes write it concurrently.
   */
  async schedule<Payload>(
    job: JobContract<Payload>,
    payload: NoInfer<Payload>,
    everyMs: number,
  ): Promise<void> {
    await this.#request(job.queue, async (queue) => {
      const { every, next, template: known } = (await queue.getJobScheduler(job.queue)) ?? {};
      const isGoing = Math.abs(Number(next) - systemClock.nowMs()) < everyMs + TICK_LOST_MS;
      if (isGoing && every === everyMs && isDeepStrictEqual(known?.data, payload)) return;
      const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
      const template = { name: job.queue, data: payload, opts };
      await queue.upsertJobScheduler(job.queue, { every: everyMs }, template);
    });
  }

  /** Returns the state of each queue. Rejects when the queues are unreachable. */
  async inspect(names: readonly string[]): Promise<QueueFacts[]> {
    return Promise.all(
      names.map(async (name) => {
        const [isPaused, counts, [oldest], ranked] = await this.#request(name, (queue) =>
          Promise.all([
            queue.isPaused(),
            queue.getJobCounts("waiting", "prioritized", "active", "delayed"),
            queue.getWaiting(0, 0),
            queue.getPrioritized(0, PRIORITISED_EXAMINED_MAX - 1),
          ]),
        );
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
        const since = [oldest, ...ranked].flatMap((job) => (job ? [job.timestamp] : []));
        const oldestAtMs = since.length === 0 ? null : Math.min(...since);
        return { name, isPaused, waiting: waiting + prioritized, active, delayed, oldestAtMs };
      }),
    );
  }

  /** State of the primaries of the underlying Redis. Null: the jobs are in PostgreSQL. */
  async redis(): Promise<readonly RedisFacts[] | null> {
    return this.#redis ? primariesOf(this.#redis) : null;
  }

  async close(): Promise<void> {
    const queues = [...this.#queues.values()];
    await Promise.allSettled(queues.map(async (queue) => (await queue).close()));
    this.#redis?.disconnect();
  }

  /** Read-only access for the job board. */
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
    await this.#connected();
    const queue =
      engine.kind === "redis"
        ? new Queue(name, {
            connection: this.#redis as RedisClient,
            prefix: prefixOf(name, addressOf(engine.url)),
          })
        : (new Queue(name, { connection: {} }, backendsOver(engine)) as unknown as Queue);
    queue.on("error", this.#onError);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      // BullMQ opens a queue once, so only a new queue tries again (F14, F24).
      await queue.close();
      throw error;
    }
  }
}

/** Number of waiting jobs in a queue, and the age of the oldest one. */
export interface QueueFacts {
  readonly name: string;
  /**
   * The queue is paused and its workers take no jobs. payrun never pauses a queue: someone else
   * with access to Redis or to the database did.
   */
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** When the next job was added. */
  readonly oldestAtMs: number | null;
}
