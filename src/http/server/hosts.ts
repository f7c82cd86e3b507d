import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Config } from "#app/config.ts";
import { Problem } from "#api/app/problems.ts";

type HostSettings = Pick<Config, "PUBLIC_URL" | "HOST" | "ALLOWED_HOSTS">;

/**
 * Headers that must not be repeated, because one program would read the second value and another
 * would ignore it.
 */
const SINGLE: ReadonlySet<string> = new Set(["host", "authorization", "content-type"]);

/**
 * @throws Problem if a header that determines the target or the sender is given twice (RFC 9112,
 * section 3.2).
 */
export function refuseRepeatedHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) {
      const detail = `The request has more than one ${name} header.`;
      throw new Problem("invalid_request", { detail });
    }
    seen.add(name);
  }
}

/**
 * @throws Problem if the request names a host that is not this server's. Without this check, a web
 * page whose name is made to resolve to this server's address (DNS rebinding) counts as the same
 * origin.
 */
export function refuseUnknownHost({ host }: FastifyRequest, config: HostSettings): void {
  const name = nameIn(host ?? "");
  if (name === "" || isOwnHost(name, config)) return;
  throw new Problem("unknown_host", {
    detail:
      "The host name in the request is not configured. Add it to ALLOWED_HOSTS or set PUBLIC_URL.",
  });
}

/**
 * Whether a host name is this server's. Address literals are accepted, because no name can be made
 * to resolve to one.
 */
function isOwnHost(name: string, { PUBLIC_URL, HOST, ALLOWED_HOSTS }: HostSettings): boolean {
  if (isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const own = [HOST, ...ALLOWED_HOSTS.split(",")].map((each) => each.toLowerCase());
  if (PUBLIC_URL !== undefined) own.push(new URL(PUBLIC_URL).hostname);
  return own.includes(name);
}

/**
 * Returns the host name of a Host header in lower case, without its port and final dot. Empty: none
 * was given.
 */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
