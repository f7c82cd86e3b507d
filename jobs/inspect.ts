import { Redis } from "ioredis";

/** What matters about a Redis that holds jobs. Rejects when it cannot be reached within five seconds. */
export async function inspectRedis(
  url: string,
): Promise<{ version: string; policy: string; appendOnly: boolean }> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 5_000,
    lazyConnect: true,
    retryStrategy: () => null,
  });
  redis.on("error", () => {});
  try {
    await redis.connect();
    const info = await redis.info();
    const read = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim();
    return {
      version: read("redis_version") ?? read("valkey_version") ?? "of unknown version",
      policy: read("maxmemory_policy") ?? "unknown",
      appendOnly: read("aof_enabled") === "1",
    };
  } finally {
    redis.disconnect();
  }
}
