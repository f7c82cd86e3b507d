import { isNearBy } from "#notices/address.ts";
import type { Secret } from "#secret.ts";

/** The connections that carry passwords, beneficiaries or jobs, as they are configured. */
export interface Connections {
  readonly DATABASE_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly SMTP_URL?: string | Secret | undefined;
  readonly NODE_TLS_REJECT_UNAUTHORIZED?: string | undefined;
  /** Somebody has said that something else protects the way. */
  readonly ALLOW_PLAINTEXT: boolean;
}

const VERIFYING = new Set(["require", "verify-ca", "verify-full"]);

const textOf = (url: string | Secret = ""): string =>
  typeof url === "string" ? url : url.reveal();

/** The hosts that a connection goes to. PostgreSQL takes one from `?host=` as well; a path is a socket of this machine. */
function hostsOf({ hostname, searchParams }: URL): readonly string[] {
  const named = searchParams.get("host");
  const hosts = named === null ? [hostname] : named.split(",");
  return hosts.filter((host) => host !== "" && !host.startsWith("/"));
}

/** Whether PostgreSQL's client verifies the server's certificate by this URL. */
function isDatabaseVerified({ searchParams }: URL): boolean {
  const mode = searchParams.get("sslmode") ?? "";
  // As in libpq, "require" encrypts and verifies nothing.
  const asLibpq = searchParams.get("uselibpqcompat") === "true";
  return VERIFYING.has(mode) && !(asLibpq && mode === "require");
}

const isMailVerified = ({ protocol, searchParams }: URL): boolean =>
  (protocol === "smtps:" || searchParams.get("requireTLS") === "true") &&
  searchParams.get("tls.rejectUnauthorized") !== "false";

const RULES = [
  {
    name: "DATABASE_URL",
    isVerified: isDatabaseVerified,
    advice: "add sslmode=verify-full to it (NODE_EXTRA_CA_CERTS names an authority of your own)",
  },
  {
    name: "REDIS_URL",
    isVerified: ({ protocol }: URL) => protocol === "rediss:",
    advice: "use its rediss:// address",
  },
  {
    name: "SMTP_URL",
    isVerified: isMailVerified,
    advice: "use its smtps:// address, or add requireTLS=true to it for STARTTLS",
  },
] as const;

/**
 * The connections that leave the own network without TLS, or with a TLS that verifies nothing, and what to set instead.
 * Whoever is on the way could read passwords and change what is stored. The addresses are not named: they hold secrets.
 */
export function unprotected(
  config: Omit<Connections, "ALLOW_PLAINTEXT">,
): readonly { readonly name: string; readonly advice: string }[] {
  const believesAll = config.NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return RULES.flatMap(({ name, isVerified, advice }) => {
    const url = URL.parse(textOf(config[name]));
    if (!url || hostsOf(url).every(isNearBy)) return [];
    if (!isVerified(url)) return [{ name, advice }];
    return believesAll ? [{ name, advice: "take NODE_TLS_REJECT_UNAUTHORIZED=0 away" }] : [];
  });
}

/** The same as problems of the configuration; none where plaintext is allowed. */
export const plaintextProblems = (config: Connections): readonly string[] =>
  config.ALLOW_PLAINTEXT
    ? []
    : unprotected(config).map(
        ({ name, advice }) =>
          `${name} leaves your network without verified TLS: whoever is on the way can read and change what is sent. To mend it, ${advice}; or set ALLOW_PLAINTEXT=yes where something else protects the way`,
      );
