import { isLocalHost } from "#notification/address.ts";
import type { Secret } from "#base/secret.ts";

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

const RULES = [
  { name: "DATABASE_URL", isVerified: isDatabaseVerified, advice: VERIFY_DATABASE },
  { name: "DATABASE_OWNER_URL", isVerified: isDatabaseVerified, advice: VERIFY_DATABASE },
  {
    name: "REDIS_URL",
    isVerified: ({ protocol }: URL) => protocol === "rediss:",
    advice: "use its rediss:// URL",
  },
  {
    name: "SMTP_URL",
    isVerified: isMailVerified,
    advice: "use its smtps:// URL, or add requireTLS=true to it for STARTTLS",
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    isVerified: ({ protocol }: URL) => protocol === "https:",
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
  return RULES.flatMap(({ name, isVerified, advice }) => {
    const url = URL.parse(textOf(config[name]));
    if (!url || hostsOf(url).every(isLocalHost)) return [];
    if (!isVerified(url)) return [{ name, advice }];
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
