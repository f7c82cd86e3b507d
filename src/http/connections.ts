import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { BlockList, isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { systemClock } from "#clock.ts";
import { hasBody } from "#http/routes.ts";

/** How long a sender may take for the headers of a request, from the moment its connection opens. */
export const HEADERS_WITHIN_MS = 10_000;
/** How often the server looks for connections that take longer. */
export const LOOK_EVERY_MS = 1_000;
/** How long the sender of a refused body may go on, so that it reads the answer before its connection closes. */
const LINGER_MS = 2_000;
/** Open connections of one address; a trusted proxy stands for many addresses and has no limit. */
const CONNECTIONS_MAX = 500;

export interface ConnectionLimits {
  /** The time for a body that is no uploaded file, in milliseconds. */
  readonly bodyWithinMs: number;
  /** Addresses and networks such as 10.0.0.0/8, separated by commas. */
  readonly trustedProxies?: string | undefined;
  readonly connectionsMax?: number;
}

/**
 * Keeps senders without a name from holding connections: by headers or bodies that come a byte at a time, by the body
 * of a request that was refused, and by many connections at once.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const { bodyWithinMs, trustedProxies, connectionsMax = CONNECTIONS_MAX } = limits;
  limitPerAddress(app.server, trustedNetworks(trustedProxies), connectionsMax);
  app.addHook("onRequest", async ({ raw, headers, routeOptions }) => {
    if (!hasBody(headers) || routeOptions.config.operation?.upload) return;
    void endUnlessComplete(raw, bodyWithinMs);
  });
  // Refused before its body came, an upload too: nobody reads the rest of it.
  app.addHook("onSend", async ({ raw }, reply) => {
    if (isIncomplete(raw)) reply.header("connection", "close");
  });
  app.addHook("onResponse", async ({ raw }) => {
    if (!isIncomplete(raw)) return;
    raw.resume();
    void endUnlessComplete(raw, LINGER_MS);
  });
}

/** Some of its body has not come. A request without a connection (a test's) does not say. */
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
