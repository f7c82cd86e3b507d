import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Config } from "#config.ts";
import { Problem } from "#http/problems.ts";

type HostSettings = Pick<Config, "PUBLIC_URL" | "HOST" | "ALLOWED_HOSTS">;

/** Headers of which a second one would be read by one program and overlooked by the next. */
const SINGLE: ReadonlySet<string> = new Set(["host", "authorization", "content-type"]);

/** @throws Problem when a header that decides who is asked, or who asks, is given twice (RFC 9112, section 3.2). */
export function refuseTwice({ raw: { rawHeaders } }: FastifyRequest): void {
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
 * @throws Problem when the request names a host that is not this server's. Without this check, a web page whose name
 * is made to resolve to this server's address (DNS rebinding) counts as the same origin.
 */
export function refuseUnknownHost({ host }: FastifyRequest, config: HostSettings): void {
  const name = nameIn(host ?? "");
  if (name === "" || isOwnHost(name, config)) return;
  throw new Problem("unknown_host", {
    detail:
      "This server does not answer for the host name of the request. Add the name to ALLOWED_HOSTS, or set PUBLIC_URL.",
  });
}

/** Whether a host name is this server's. No name can be made to resolve to an address literal, so those are. */
function isOwnHost(name: string, { PUBLIC_URL, HOST, ALLOWED_HOSTS }: HostSettings): boolean {
  if (isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const own = [HOST, ...ALLOWED_HOSTS.split(",")].map((each) => each.toLowerCase());
  if (PUBLIC_URL !== undefined) own.push(new URL(PUBLIC_URL).hostname);
  return own.includes(name);
}

/** The host name of a Host header, in lower case, without its port and the dot at its end; "": none is given. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
