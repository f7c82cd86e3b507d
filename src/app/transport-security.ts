import { isLocalHost } from "#notification/address.ts";
import { databaseHosts, isDatabaseAddress } from "#postgres/hosts.ts";
import type { Secret } from "#base/secret.ts";
import { parseRedisUrl } from "#jobs/redis-url.ts";

/** The configured connections that carry passwords, beneficiaries or jobs. */
export interface Connections {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_OWNER_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly SMTP_URL?: string | Secret | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly NODE_TLS_REJECT_UNAUTHORIZED?: string | undefined;
  /** True: the operator has confirmed that the connection is protected by other means. */
  readonly ALLOW_PLAINTEXT: boolean;
}

const VERIFYING = new Set(["require", "verify-ca", "verify-full"]);

const textOf = (url: string | Secret = ""): string =>
  typeof url === "string" ? url : url.reveal();

/**
 * Returns the hosts of a connection. PostgreSQL also reads one from `?host=`. A path is a socket on
 * this machine.
 */
function hostsOf({ hostname, searchParams }: URL): readonly string[] {
  const named = searchParams.get("host");
  const hosts = named === null ? [hostname] : named.split(",");
  return hosts.filter((host) => host !== "" && !host.startsWith("/"));
}

/** Returns whether PostgreSQL's client verifies the server's certificate with this URL. */
function isDatabaseVerified({ searchParams }: URL): boolean {
  const mode = searchParams.get("sslmode") ?? "";
  // As in libpq, "require" encrypts without verification.
  const asLibpq = searchParams.get("uselibpqcompat") === "true";
  return VERIFYING.has(mode) && !(asLibpq && mode === "require");
}

const isMailVerified = ({ protocol, searchParams }: URL): boolean =>
  (protocol === "smtps:" || searchParams.get("requireTLS") === "true") &&
  searchParams.get("tls.rejectUnauthorized") !== "false";

const VERIFY_DATABASE =
  "add sslmode=verify-full to it (NODE_EXTRA_CA_CERTS adds a private certificate authority)";

const SMTP_ADVICE = "use its smtps:// URL, or add requireTLS=true to it for STARTTLS";

/** The hosts that a connection may reach, and whether each is reached by verified TLS. */
interface Reach {
  readonly hosts: readonly string[];
  readonly isVerified: boolean;
}

/** Reads the URL of one server. Null: it cannot be read, which its own check reports. */
const reachOf =
  (isVerified: (url: URL) => boolean) =>
  (text: string): Reach | null => {
    const url = URL.parse(text);
    return url && { hosts: hostsOf(url), isVerified: isVerified(url) };
  };

/** Reads the URL of a database, which may name several hosts. */
function databaseReach(text: string): Reach | null {
  if (!isDatabaseAddress(text)) return null;
  const urls = databaseHosts(text).flatMap(({ url }) => URL.parse(url) ?? []);
  return { hosts: urls.flatMap(hostsOf), isVerified: urls.every(isDatabaseVerified) };
}

/** Reads `REDIS_URL`, which may name several hosts. */
function redisReach(text: string): Reach | null {
  const read = parseRedisUrl(text);
  if (!read.ok) return null;
  const { hosts, isTls } = read.value;
  return { hosts: hosts.map(({ host }) => host), isVerified: isTls };
}

const RULES = [
  { name: "DATABASE_URL", reach: databaseReach, advice: VERIFY_DATABASE },
  { name: "DATABASE_OWNER_URL", reach: databaseReach, advice: VERIFY_DATABASE },
  { name: "REDIS_URL", reach: redisReach, advice: "use its rediss:// URL" },
  { name: "SMTP_URL", reach: reachOf(isMailVerified), advice: SMTP_ADVICE },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    reach: reachOf(({ protocol }) => protocol === "https:"),
    advice: "use its https:// URL",
  },
] as const;

/**
 * Returns the connections that leave the private network without TLS, or with TLS that verifies
 * nothing, and what to set instead. An attacker on the network path could read passwords and change
 * stored data. The addresses are not named, because they contain secrets.
 */
export function findUnprotected(
  config: Omit<Connections, "ALLOW_PLAINTEXT">,
): readonly { readonly name: string; readonly advice: string }[] {
  const believesAll = config.NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return RULES.flatMap(({ name, reach, advice }) => {
    const reached = reach(textOf(config[name]));
    if (!reached || reached.hosts.every(isLocalHost)) return [];
    if (!reached.isVerified) return [{ name, advice }];
    return believesAll ? [{ name, advice: "remove NODE_TLS_REJECT_UNAUTHORIZED=0" }] : [];
  });
}

/** Returns the same as configuration problems. There are none if plaintext is allowed. */
export const plaintextProblems = (config: Connections): readonly string[] =>
  config.ALLOW_PLAINTEXT
    ? []
    : findUnprotected(config).map(
        ({ name, advice }) =>
          `${name} connects outside your network without verified TLS: anyone on the network path can read and change the data. To fix it, ${advice}, or set ALLOW_PLAINTEXT=yes if the connection is protected by other means`,
      );

/**
 * Returns whether an address allows paths to be appended unchanged, and may be shown in
 * diagnostics.
 */
export function isPlainBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/[?#\s]/.test(text);
}
