import { Cluster, Redis, type RedisOptions } from "ioredis";
import { systemClock } from "#base/clock.ts";
import { random } from "#base/ids.ts";
import { parseRedisUrl, type RedisAddress } from "#jobs/redis-url.ts";

/** A connection to one server, to the primary that Sentinel names, or to a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Maximum time in milliseconds between two attempts to connect. The default of ioredis, 5 seconds,
 * would delay sending after a failover.
 */
const RETRY_MAX_MS = 500;
const RETRY_MIN_MS = 50;
/** Random part of the delay, so that not all processes reconnect at the same moment. */
const RETRY_JITTER = 0.2;
/**
 * Time in milliseconds to connect to one server. An unreachable sentinel or node must not delay the
 * next one for long.
 */
const CONNECT_MS = 2_000;
/**
 * Time in milliseconds without a byte from a server that owes a response, after which the
 * connection counts as broken: a frozen primary keeps its connections open. Longer than BullMQ's
 * longest blocking command (10 seconds) and its own watchdog (1 second more).
 */
const SILENCE_MS = 15_000;
/** Interval in milliseconds between two looks at which node of a cluster has which slots. */
const SLOTS_MS = 1_000;
/** Milliseconds for a connection to close before it is cut: a frozen server never answers. */
const CLOSE_MS = 200;

/** How long a failed connection waits for its next attempt, in milliseconds. */
export const retryDelayMs = (attempts: number, chance: () => number = random): number =>
  Math.round(
    Math.min(RETRY_MIN_MS * 2 ** Math.min(attempts, 10), RETRY_MAX_MS) *
      (1 - RETRY_JITTER * chance()),
  );

/**
 * Whether the error shows that this server is no longer the primary. Reconnecting finds the new one
 * through Sentinel or through DNS.
 */
const isDemoted = ({ message }: Error): boolean => /READONLY|UNBLOCKED/.test(message);

/** Without what selects another form of responses, which would change the type of the client. */
type CommonOptions = Omit<RedisOptions, "replyMapping">;

/** The part of the options that depends on what a connection is for. */
export type ClientOptions = Pick<
  RedisOptions,
  "maxRetriesPerRequest" | "enableOfflineQueue" | "commandTimeout" | "lazyConnect"
> & {
  /** True: does not reconnect, for a single look. */
  readonly isOnce?: boolean;
};

/**
 * Opens a connection to Redis at `REDIS_URL`, which follows a failover of Sentinel or Cluster. It
 * reconnects until `disconnect`.
 *
 * @throws when the URL is invalid. The configuration has been checked before.
 */
export function connectRedis(url: string, options: ClientOptions): RedisClient {
  const address = addressOf(url);
  const { isOnce = false, ...more } = options;
  const common: CommonOptions = {
    ...more,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disconnectTimeout: CLOSE_MS,
    retryStrategy: isOnce ? () => null : (attempts) => retryDelayMs(attempts),
    // Reconnects and rejects the command: repeating it here would have no end on a real replica.
    reconnectOnError: isOnce ? null : isDemoted,
  };
  const client = clientOf(address, common, isOnce);
  if (!isOnce) revive(client);
  return client;
}

/** Reads `REDIS_URL` after its check. */
export function addressOf(url: string): RedisAddress {
  const read = parseRedisUrl(url);
  if (!read.ok) throw new Error(`REDIS_URL ${read.error}`);
  return read.value;
}

function clientOf(address: RedisAddress, common: CommonOptions, isOnce: boolean): RedisClient {
  switch (address.kind) {
    case "single":
      return new Redis(address.url, common);
    case "sentinel":
      return new Redis({ ...common, ...sentinelOptions(address, isOnce) });
    case "cluster": {
      const { lazyConnect = false, enableOfflineQueue = true, ...node } = common;
      return new Cluster([...address.hosts], {
        lazyConnect,
        enableOfflineQueue,
        clusterRetryStrategy: isOnce ? () => null : (attempts) => retryDelayMs(attempts),
        slotsRefreshInterval: SLOTS_MS,
        slotsRefreshTimeout: CONNECT_MS,
        // Nodes are reached by the names that they announce, which their certificates contain.
        dnsLookup: (host, found) => found(null, host),
        redisOptions: { ...node, ...loginOf(address), ...tlsOf(address) },
      });
    }
  }
}

const loginOf = ({ username, password }: RedisAddress): CommonOptions => ({
  ...(username === null ? {} : { username }),
  ...(password === null ? {} : { password }),
});

const tlsOf = ({ isTls }: RedisAddress): CommonOptions => (isTls ? { tls: {} } : {});

function sentinelOptions(
  address: RedisAddress & { readonly kind: "sentinel" },
  isOnce: boolean,
): CommonOptions {
  const { hosts, name, db, sentinel, isTls } = address;
  return {
    ...loginOf(address),
    sentinels: [...hosts],
    name,
    db,
    ...(sentinel.username === null ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel.password === null ? {} : { sentinelPassword: sentinel.password }),
    sentinelCommandTimeout: CONNECT_MS,
    // Without a delay from here, ioredis would give up for good when no sentinel answers.
    sentinelRetryStrategy: isOnce ? () => null : (attempts) => retryDelayMs(attempts),
    // Sentinel announces a new primary, so a frozen old one is left at once.
    failoverDetector: !isOnce,
    ...(isTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

/**
 * Connects again when ioredis gives up, which it does when it learns of a failover while it is
 * looking for the primary. So do the connections that BullMQ opens from this one to wait for jobs.
 * A client stays closed after `disconnect` or `quit`.
 */
function revive(client: RedisClient): void {
  let isWanted = true;
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    if (!reconnect) isWanted = false;
    disconnect(reconnect);
  };
  const quit = client.quit.bind(client);
  client.quit = (...rest) => {
    isWanted = false;
    return quit(...rest);
  };
  if (client instanceof Redis) {
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (options) => {
      const copy = duplicate(options);
      revive(copy);
      return copy;
    };
  }
  client.on("end", () => {
    const connectAgain = async () => {
      await systemClock.sleep(RETRY_MAX_MS);
      if (isWanted && client.status === "end") await client.connect();
    };
    if (isWanted) connectAgain().catch(() => {}); // "end" comes again
  });
}
