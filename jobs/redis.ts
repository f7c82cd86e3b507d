import { Cluster } from "ioredis";
import { messageOf } from "#base/log.ts";
import { addressOf, connectRedis, type RedisClient } from "#jobs/redis-client.ts";
import { hostsText, type RedisAddress } from "#jobs/redis-url.ts";
import { type Concern, sentinelConcerns } from "#jobs/redis-sentinels.ts";

/** A hash tag that keeps the keys of one queue in the same slot of a Redis Cluster. */
export const PREFIX = "{payrun}";

/**
 * Returns the prefix of a queue's keys. BullMQ needs all keys of a queue in one slot. In a cluster
 * each queue has a slot of its own, and the queues that send and query are on different primaries.
 */
export const prefixOf = (queue: string, { kind }: Pick<RedisAddress, "kind">): string =>
  kind === "cluster" ? `{${queue.replace("-", ":")}}` : PREFIX;

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

/** The state of Redis and its weaknesses. */
export interface InspectedRedis {
  readonly kind: RedisAddress["kind"];
  /** One for each primary: several in a cluster only. */
  readonly primaries: readonly RedisFacts[];
  /** The refusal of a test job. Null: Redis accepted the job. */
  readonly refusal: string | null;
  readonly concerns: readonly Concern[];
}

/** Fields as reported by `INFO`. */
function redisFacts(told: string): RedisFacts {
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

/** Names Redis by its addresses, for messages. */
function nameOf(address: RedisAddress): string {
  switch (address.kind) {
    case "single":
      return `Redis at ${hostsText(address)}`;
    case "sentinel":
      return `Redis "${address.name}" (sentinels ${hostsText(address)})`;
    case "cluster":
      return `Redis Cluster at ${hostsText(address)}`;
  }
}

/** Returns the server's own message if it refuses, or else a message that it does not answer. */
export function whyUnavailable(url: string, error: unknown): string {
  const name = nameOf(addressOf(url));
  return isRefusal(error)
    ? `${name} refused the request: ${messageOf(error)}`
    : `${name} is not responding`;
}

/** Returns the state of each primary. */
export async function primariesOf(client: RedisClient): Promise<readonly RedisFacts[]> {
  const nodes = client instanceof Cluster ? client.nodes("master") : [client];
  return Promise.all(nodes.map(async (node) => redisFacts(await node.info())));
}

/** Returns the state of several primaries as that of one: the sums, and the worst policy. */
export function combinedFacts(primaries: readonly RedisFacts[]): RedisFacts | null {
  const [first] = primaries;
  if (!first) return null;
  const total = (bytesOf: (facts: RedisFacts) => number) =>
    primaries.reduce((sum, facts) => sum + bytesOf(facts), 0);
  return {
    version: first.version,
    policy: primaries.find(({ policy }) => policy !== "noeviction")?.policy ?? first.policy,
    isPrimary: primaries.every(({ isPrimary }) => isPrimary),
    appendOnly: primaries.every(({ appendOnly }) => appendOnly),
    usedBytes: total(({ usedBytes }) => usedBytes),
    maxBytes: primaries.every(({ maxBytes }) => maxBytes > 0)
      ? total(({ maxBytes }) => maxBytes)
      : 0,
  };
}

/**
 * Rejects when Redis is unreachable, does not answer within five seconds, or denies access.
 *
 * @param queues the queues whose keys a test job is written under.
 */
export async function inspectRedis(
  url: string,
  queues: readonly string[],
): Promise<InspectedRedis> {
  const address = addressOf(url);
  const client = connectRedis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: REDIS_MS,
    lazyConnect: true,
    isOnce: true,
  });
  let said: Error | null = null;
  client.on("error", (error: Error) => {
    said = error;
  });
  try {
    await client.connect();
    const primaries = await primariesOf(client);
    return {
      kind: address.kind,
      primaries,
      refusal: await refusalOf(client, address, queues),
      concerns: [
        ...(address.kind === "sentinel" ? await sentinelConcerns(address) : []),
        ...(client instanceof Cluster ? await clusterConcerns(client) : []),
      ],
    };
  } catch (error) {
    const cause: unknown = said ?? error;
    const why = whyUnavailable(url, cause);
    const words = isRefusal(cause) ? why : `${why}: ${messageOf(cause) || messageOf(error)}`;
    throw new Error(words, { cause: error });
  } finally {
    client.disconnect();
  }
}

/** Writes like a real job does: by a script, under payrun's keys. */
async function refusalOf(
  client: RedisClient,
  address: RedisAddress,
  queues: readonly string[],
): Promise<string | null> {
  for (const prefix of new Set(queues.map((queue) => prefixOf(queue, address)))) {
    const refusal = await client.eval(TRY, 1, `${prefix}:doctor`).then(() => null, messageOf);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Silence in milliseconds after which the nodes should replace a primary. */
const NODE_TIMEOUT_MAX_MS = 5_000;

async function clusterConcerns(client: Cluster): Promise<readonly Concern[]> {
  const concerns: Concern[] = [];
  const [node, ...others] = client.nodes("master");
  const replicas = client.nodes("slave").length;
  if (node && replicas <= others.length) {
    concerns.push({
      found: `the cluster has ${others.length + 1} primaries and ${replicas} replicas`,
      advice: "add a replica to each primary: without one, a primary that fails stops its queues",
    });
  }
  // A managed cluster may refuse CONFIG.
  const told = await node?.config("GET", "cluster-node-timeout").catch(() => null);
  const timeoutMs = Number(Array.isArray(told) ? told[1] : 0);
  if (timeoutMs > NODE_TIMEOUT_MAX_MS) {
    concerns.push({
      found: `the cluster waits ${timeoutMs} ms before it replaces a primary`,
      advice: `set cluster-node-timeout to ${NODE_TIMEOUT_MAX_MS} or less: until then, payrun sends nothing`,
    });
  }
  return concerns;
}
