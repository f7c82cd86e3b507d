import { Redis } from "ioredis";
import { messageOf } from "#base/log.ts";
import { hostsText, type RedisAddress, type RedisHost } from "#jobs/redis-url.ts";

/** A weakness of a Redis that works, and what to do about it. */
export interface Concern {
  readonly found: string;
  readonly advice: string;
}

type SentinelAddress = RedisAddress & { readonly kind: "sentinel" };

const SENTINEL_MS = 2_000;
/** With fewer, one that fails can prevent a failover. */
const SENTINELS_MIN = 3;
/**
 * Silence in milliseconds after which Sentinel should start a failover, so that sending resumes
 * within ten seconds.
 */
const DOWN_AFTER_MAX_MS = 5_000;

/** The view that one sentinel has of the primary. */
interface Monitored {
  readonly others: number;
  readonly replicas: number;
  readonly downAfterMs: number;
  /** Why the sentinels cannot agree on a failover. Null: they can. */
  readonly quorumProblem: string | null;
}

/** Returns what makes a failover slow or impossible, as the sentinels report it. */
export async function sentinelConcerns(address: SentinelAddress): Promise<readonly Concern[]> {
  const concerns: Concern[] = [];
  const answers: Monitored[] = [];
  await Promise.all(
    address.hosts.map(async (host) => {
      try {
        answers.push(await monitoredBy(host, address));
      } catch (error) {
        concerns.push({
          found: `the sentinel at ${hostsText({ hosts: [host] })} gives no answer about "${address.name}": ${messageOf(error)}`,
          advice: "start it, or correct its address in REDIS_URL",
        });
      }
    }),
  );
  return answers.length === 0 ? concerns : [...concerns, ...weaknesses(worstOf(answers))];
}

/** Sentinels are configured one by one: the worst setting decides how slow a failover can be. */
function worstOf(answers: readonly Monitored[]): Monitored {
  return {
    others: Math.min(...answers.map(({ others }) => others)),
    replicas: Math.min(...answers.map(({ replicas }) => replicas)),
    downAfterMs: Math.max(...answers.map(({ downAfterMs }) => downAfterMs)),
    quorumProblem: answers.find(({ quorumProblem }) => quorumProblem)?.quorumProblem ?? null,
  };
}

function weaknesses({ others, replicas, downAfterMs, quorumProblem }: Monitored): Concern[] {
  const concerns: Concern[] = [];
  if (replicas === 0) {
    concerns.push({
      found: "the primary has no replica",
      advice: "add a replica: without one, Sentinel cannot replace a primary that fails",
    });
  }
  if (others + 1 < SENTINELS_MIN) {
    concerns.push({
      found: `${others + 1} of at least ${SENTINELS_MIN} sentinels monitor the primary`,
      advice: "run three sentinels on different machines",
    });
  }
  if (quorumProblem !== null) {
    concerns.push({
      found: `the sentinels cannot agree on a failover: ${quorumProblem}`,
      advice: "start the missing sentinels",
    });
  }
  if (downAfterMs > DOWN_AFTER_MAX_MS) {
    concerns.push({
      found: `Sentinel waits ${downAfterMs} ms before it replaces a primary`,
      advice: `set down-after-milliseconds to ${DOWN_AFTER_MAX_MS} or less: until then, payrun sends nothing`,
    });
  }
  return concerns;
}

async function monitoredBy(
  { host, port }: RedisHost,
  { name, sentinel, isTls }: SentinelAddress,
): Promise<Monitored> {
  const client = new Redis({
    host,
    port,
    ...(sentinel.username === null ? {} : { username: sentinel.username }),
    ...(sentinel.password === null ? {} : { password: sentinel.password }),
    ...(isTls ? { tls: {} } : {}),
    enableReadyCheck: false,
    lazyConnect: true,
    connectTimeout: SENTINEL_MS,
    commandTimeout: SENTINEL_MS,
    retryStrategy: () => null,
  });
  let said: Error | null = null;
  client.on("error", (error: Error) => {
    said = error;
  });
  try {
    await client.connect();
    const told = await client.call("SENTINEL", "MASTER", name);
    const fields = fieldsOf(told);
    const quorum = client.call("SENTINEL", "CKQUORUM", name);
    return {
      others: Number(fields.get("num-other-sentinels") ?? 0),
      replicas: Number(fields.get("num-slaves") ?? 0),
      downAfterMs: Number(fields.get("down-after-milliseconds") ?? 0),
      quorumProblem: await quorum.then(() => null, messageOf),
    };
  } catch (error) {
    throw new Error(messageOf(said ?? error), { cause: error });
  } finally {
    client.disconnect();
  }
}

/** Reads names and values that alternate in a list, or an object of RESP3. */
function fieldsOf(told: unknown): ReadonlyMap<string, string> {
  if (!Array.isArray(told)) return new Map(Object.entries(told as Record<string, string>));
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < told.length; at += 2) {
    fields.set(String(told[at]), String(told[at + 1]));
  }
  return fields;
}
