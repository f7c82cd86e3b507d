import { err, ok, type Result } from "#base/result.ts";

/** Host and port of one server. An IPv6 address has no brackets. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username: string | null;
  readonly password: string | null;
}

interface Address extends Login {
  readonly hosts: readonly RedisHost[];
  readonly isTls: boolean;
}

/** Where Redis or Valkey is, as read from `REDIS_URL`. */
export type RedisAddress =
  | (Address & {
      readonly kind: "single";
      /** The URL as ioredis reads it, with all its options. */
      readonly url: string;
    })
  | (Address & {
      readonly kind: "sentinel";
      /** Name of the monitored primary. `hosts` are its sentinels. */
      readonly name: string;
      readonly db: number;
      /** Login at the sentinels themselves. */
      readonly sentinel: Login;
    })
  /** `hosts` are the nodes that are asked for the other ones. */
  | (Address & { readonly kind: "cluster" });

/** Accepted forms of `REDIS_URL`, for messages. */
const REDIS_URL_FORMS =
  "redis://host:port, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port (rediss instead of redis for TLS)";

const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;
const PORT_MAX = 65_535;

const SCHEME = /^(?:redis|valkey)(s?)(?:\+(sentinel|cluster))?:\/\/(.*)$/s;
/** User and password, hosts, path and query. A fragment is not allowed. */
const PARTS = /^(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/s;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d+))?$/i;
/** Sentinel's own rule for names. */
const NAME = /^[\w.-]+$/;
const DATABASE = /^\d{1,5}$/;

const SENTINEL_OPTIONS = ["db", "sentinelUsername", "sentinelPassword"];

/**
 * Reads `REDIS_URL`: one server, the sentinels of a primary, or nodes of a cluster. Several hosts
 * without a kind are nodes of a cluster. A URL of sentinels is
 * `redis+sentinel://:secret@s1.example,s2.example:26380/payrun?db=1`.
 *
 * @returns the problem without any part of the URL that may be secret.
 */
export function parseRedisUrl(text: string): Result<RedisAddress, string> {
  const [, tls, named, rest = ""] = SCHEME.exec(text) ?? [];
  if (tls === undefined) return err(`must be ${REDIS_URL_FORMS}`);
  const parts = PARTS.exec(rest);
  if (!parts) {
    return err(
      'must have one "@" at most: write @, /, ? and # in a user name or password as %40, %2F, %3F and %23',
    );
  }
  const [, login = "", hostList = "", path = "", query = ""] = parts;
  const isList = hostList.includes(",");
  const kind = named === "sentinel" || named === "cluster" ? named : isList ? "cluster" : "single";
  const hosts = hostsOf(hostList, kind === "sentinel" ? SENTINEL_PORT : REDIS_PORT);
  if (!hosts.ok) return hosts;
  const who = loginOf(login);
  if (!who.ok) return who;
  const address = { ...who.value, hosts: hosts.value, isTls: tls === "s" };
  const options = new URLSearchParams(query);
  const segment = decoded(path.slice(1)) ?? "";
  if (kind === "sentinel") return sentinelOf(address, segment, options);
  if (kind === "cluster") return clusterOf(address, segment, options);
  const url = text.replace(/^valkey/, "redis");
  if (!URL.canParse(url)) return err(`must be ${REDIS_URL_FORMS}`);
  if (segment !== "" && !DATABASE.test(segment)) return err(BAD_DATABASE);
  return ok({ kind, ...address, url });
}

const BAD_DATABASE =
  'must end with the number of a database, such as /0 (the name of a primary needs "redis+sentinel")';

function sentinelOf(
  address: Address,
  name: string,
  options: URLSearchParams,
): Result<RedisAddress, string> {
  if (!NAME.test(name)) {
    return err(
      "must end with the name of the primary that the sentinels monitor, such as redis+sentinel://host:26379/payrun (letters, digits, dots, hyphens and underscores)",
    );
  }
  const unknown = unknownOption(options, SENTINEL_OPTIONS);
  if (unknown !== null) return err(unknown);
  const db = options.get("db") ?? "0";
  if (!DATABASE.test(db)) return err("must have the number of a database in ?db=, such as ?db=1");
  const sentinel = {
    username: options.get("sentinelUsername"),
    password: options.get("sentinelPassword"),
  };
  return ok({ kind: "sentinel", ...address, name, db: Number(db), sentinel });
}

function clusterOf(
  address: Address,
  database: string,
  options: URLSearchParams,
): Result<RedisAddress, string> {
  const unknown = unknownOption(options, []);
  if (unknown !== null) return err(unknown);
  if (database !== "" && database !== "0") {
    return err(
      'must not have a path, because a cluster has only database 0 (for the name of a primary, write "redis+sentinel")',
    );
  }
  return ok({ kind: "cluster", ...address });
}

/** Null: all options are known. Their names may be secrets that were put in a wrong place. */
function unknownOption(options: URLSearchParams, known: readonly string[]): string | null {
  if ([...options.keys()].every((name) => known.includes(name))) return null;
  return known.length === 0
    ? 'must not have options after "?"'
    : `must have only these options after "?": ${known.join(", ")}`;
}

function hostsOf(list: string, defaultPort: number): Result<readonly RedisHost[], string> {
  const hosts: RedisHost[] = [];
  for (const [at, text] of list.split(",").entries()) {
    const [, host, digits] = HOST.exec(text.trim()) ?? [];
    const port = Number(digits ?? defaultPort);
    if (host === undefined || port === 0 || port > PORT_MAX) {
      return err(
        `must have a host name or IP address, with a port from 1 to ${PORT_MAX} if any, at place ${at + 1} of its hosts (IPv6 in brackets)`,
      );
    }
    hosts.push({ host: host.replaceAll(/[[\]]/g, ""), port });
  }
  return ok(hosts);
}

function loginOf(text: string): Result<Login, string> {
  if (text === "") return ok({ username: null, password: null });
  const [name = "", ...rest] = text.split(":");
  const username = decoded(name);
  const password = decoded(rest.join(":"));
  if (username === null || password === null) {
    return err('must have "%" in a user name or password written as %25');
  }
  return ok({ username: username || null, password: password || null });
}

/** Null: a "%" is not followed by two hexadecimal digits. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the hosts as people write them, separated by commas, without secrets. */
export const hostsText = ({ hosts }: Pick<RedisAddress, "hosts">): string =>
  hosts.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`).join(", ");
