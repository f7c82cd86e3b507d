import { Redis } from "ioredis";
import { wordsOf } from "#log.ts";

/** A hash tag, so that on Redis Cluster the keys of one queue share a slot. */
export const PREFIX = "{payrun}";

/** What matters about a Redis that holds jobs. */
export interface RedisFacts {
  readonly version: string;
  readonly policy: string;
  /** False: a replica, which takes no jobs. */
  readonly isPrimary: boolean;
  readonly appendOnly: boolean;
  readonly usedBytes: number;
  /** 0: no limit but the machine's. */
  readonly maxBytes: number;
}

/** Why it takes no jobs, whoever brings them; null: nothing that it tells of itself is in the way. */
export function whyNoJobs({ isPrimary, policy, usedBytes, maxBytes }: RedisFacts): string | null {
  if (!isPrimary) return "is a replica, which takes no jobs";
  const isFull = maxBytes > 0 && usedBytes >= maxBytes && policy === "noeviction";
  return isFull ? `is full, and takes no jobs: ${usedBytes} of ${maxBytes} bytes are used` : null;
}

/** The same, and what it says to a job from us; null: it takes it. */
export type TriedRedis = RedisFacts & { readonly refusal: string | null };

/** As `INFO` tells them. */
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

/** A wrong password, say: it answers, and looking for the server elsewhere is of no use. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name === "ReplyError";

/** In the server's own words where it refuses, else that nothing answers at its address. */
export function whyAway(url: string, error: unknown): string {
  const { host } = new URL(url);
  return isRefusal(error)
    ? `the Redis at ${host} refuses: ${wordsOf(error)}`
    : `no Redis answers at ${host}`;
}

/** Rejects when it cannot be reached, says nothing within five seconds, or lets us not in. */
export async function inspectRedis(url: string): Promise<TriedRedis> {
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
    // As jobs are put there: by a script, under a key of ours.
    const tried = redis.eval(TRY, 1, `${PREFIX}:doctor`);
    return { ...facts, refusal: await tried.then(() => null, wordsOf) };
  } catch (error) {
    const cause: unknown = said ?? error;
    const why = whyAway(url, cause);
    const words = isRefusal(cause) ? why : `${why}: ${wordsOf(cause) || wordsOf(error)}`;
    throw new Error(words, { cause: error });
  } finally {
    redis.disconnect();
  }
}
