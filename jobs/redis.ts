import { Redis } from "ioredis";
import { messageOf } from "#base/log.ts";

/** A hash tag that keeps the keys of one queue in the same slot of a Redis Cluster. */
export const PREFIX = "{payrun}";

/** State of a Redis that holds jobs. */
export interface RedisFacts {
  readonly version: string;
  readonly policy: string;
  /** False: a replica, which does not accept jobs. */
  readonly isPrimary: boolean;
  readonly appendOnly: boolean;
  readonly usedBytes: number;
  /** Maximum memory in bytes. 0: limited only by the machine. */
  readonly maxBytes: number;
}

/**
 * Reason why Redis accepts no jobs from any client, as far as its own report shows. Null: no such
 * reason.
 */
export function whyJobsRefused({
  isPrimary,
  policy,
  usedBytes,
  maxBytes,
}: RedisFacts): string | null {
  if (!isPrimary) return "is a replica, which does not accept jobs";
  const isFull = maxBytes > 0 && usedBytes >= maxBytes && policy === "noeviction";
  return isFull
    ? `is full and does not accept jobs: ${usedBytes} of ${maxBytes} bytes are used`
    : null;
}

/** The same facts, and the refusal of a test job. Null: Redis accepted the job. */
export type TestedRedis = RedisFacts & { readonly refusal: string | null };

/** Fields as reported by `INFO`. */
export function redisFacts(told: string): RedisFacts {
  const read = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(told)?.[1]?.trim();
  return {
    version: read("redis_version") ?? read("valkey_version") ?? "of unknown version",
    policy: read("maxmemory_policy") ?? "unknown",
    isPrimary: (read("role") ?? "master") === "master",
    appendOnly: read("aof_enabled") === "1",
    usedBytes: Number(read("used_memory") ?? 0),
    maxBytes: Number(read("maxmemory") ?? 0),
  };
}

const REDIS_MS = 5_000;
const TRY = "return redis.call('set', KEYS[1], 'tried', 'px', 1)";

/**
 * The server answers but rejects us, for example because of a wrong password. Looking for it at
 * another address would not help.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name === "ReplyError";

/** Returns the server's own message if it refuses, or else a message that it does not answer. */
export function whyUnavailable(url: string, error: unknown): string {
  const { host } = new URL(url);
  return isRefusal(error)
    ? `Redis at ${host} refused the request: ${messageOf(error)}`
    : `Redis at ${host} is not responding`;
}

/** Rejects when Redis is unreachable, does not answer within five seconds, or denies access. */
export async function inspectRedis(url: string): Promise<TestedRedis> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: REDIS_MS,
    commandTimeout: REDIS_MS,
    lazyConnect: true,
    retryStrategy: () => null,
  });
  let said: Error | null = null;
  redis.on("error", (error: Error) => {
    said = error;
  });
  try {
    await redis.connect();
    const facts = redisFacts(await redis.info());
    // Writes like a real job does: by a script, under one of payrun's keys.
    const tried = redis.eval(TRY, 1, `${PREFIX}:doctor`);
    return { ...facts, refusal: await tried.then(() => null, messageOf) };
  } catch (error) {
    const cause: unknown = said ?? error;
    const why = whyUnavailable(url, cause);
    const words = isRefusal(cause) ? why : `${why}: ${messageOf(cause) || messageOf(error)}`;
    throw new Error(words, { cause: error });
  } finally {
    redis.disconnect();
  }
}
