import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { BlockList, isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { systemClock } from "#base/clock.ts";
import { hasBody } from "#http/server/request-reader.ts";

/**
 * Milliseconds within which a sender must send the headers of a request, from the opening of the
 * connection.
 */
export const HEADERS_WITHIN_MS = 10_000;
/** Milliseconds between two checks for connections that exceed the limits. */
export const CHECK_EVERY_MS = 1_000;
/**
 * Milliseconds for which the sender of a refused body may continue, so that it reads the answer
 * before its connection closes.
 */
const LINGER_MS = 2_000;
/**
 * Maximum number of open connections per address. A trusted proxy serves many addresses and has no
 * limit.
 */
const CONNECTIONS_MAX = 500;

export interface ConnectionLimits {
  /** Milliseconds within which a body must arrive that is not an uploaded file. */
  readonly bodyWithinMs: number;
  /** Addresses and networks such as 10.0.0.0/8, separated by commas. */
  readonly trustedProxies?: string | undefined;
  readonly connectionsMax?: number;
}

/**
 * Prevents unauthenticated senders from holding connections: by headers or bodies sent one byte at
 * a time, by the body of a refused request, or by many concurrent connections.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const { bodyWithinMs, trustedProxies, connectionsMax = CONNECTIONS_MAX } = limits;
  limitPerAddress(app.server, trustedNetworks(trustedProxies), connectionsMax);
  app.addHook("onRequest", async ({ raw, headers, routeOptions }) => {
    if (!hasBody(headers) || routeOptions.config.operation?.upload) return;
    void endUnlessComplete(raw, bodyWithinMs);
  });
  // The request, possibly an upload, was refused before its body arrived. The rest of the body is
  // not read.
  app.addHook("onSend", async ({ raw }, reply) => {
    if (isIncomplete(raw)) reply.header("connection", "close");
  });
  app.addHook("onResponse", async ({ raw }) => {
    if (!isIncomplete(raw)) return;
    raw.resume();
    void endUnlessComplete(raw, LINGER_MS);
  });
}

/**
 * Whether part of the body has not arrived. A request without a connection (in a test) does not
 * have this information.
 */
const isIncomplete = ({ complete }: IncomingMessage): boolean => complete === false;

async function endUnlessComplete(raw: IncomingMessage, withinMs: number): Promise<void> {
  const closed = new AbortController();
  raw.once("close", () => closed.abort());
  await systemClock.sleep(withinMs, closed.signal);
  if (isIncomplete(raw)) raw.destroy();
}

function limitPerAddress(server: Server, trusted: BlockList, connectionsMax: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > connectionsMax) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

function trustedNetworks(list = ""): BlockList {
  const networks = new BlockList();
  for (const network of list.split(",").filter((each) => each.trim() !== "")) {
    const [address = "", bits] = network.trim().split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(bits), family);
  }
  return networks;
}
