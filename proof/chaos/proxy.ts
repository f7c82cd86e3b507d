import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { LinkFault } from "./plan.ts";

/** A TCP proxy in front of one server that simulates faults of the network. */
export interface Proxy {
  readonly port: number;
  /** Applies this to all traffic, and to new connections, until `heal`. */
  harm(fault: LinkFault): void;
  heal(): void;
  /** Leads new connections to another server. */
  aim(at: Place): void;
  close(): Promise<void>;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Starts a TCP proxy to a server, whose connections can be slowed or cut. With several servers, it
 * leads each new connection to another one.
 */
export async function startProxy(...places: readonly Place[]): Promise<Proxy> {
  let targets = places;
  let connections = 0;
  let fault: LinkFault | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targets[connections++ % targets.length] as Place);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    }
    const both = () => {
      client.destroy();
      upstream.destroy();
    };
    if (isCut(fault)) return both();
    forward(client, upstream);
    const delivered = forward(upstream, client);
    // A disconnecting client's undelivered data is dropped. The server's last data still arrives.
    client.once("end", both);
    client.once("close", both);
    upstream.once("close", () => void delivered().then(both));
  });

  /**
   * Forwards incoming data in order. Returns a function that resolves when all data is forwarded.
   */
  function forward(from: Socket, to: Socket): () => Promise<unknown> {
    let passing: Promise<unknown> = Promise.resolve();
    from.on("data", (piece: Buffer) => {
      passing = passing.then(() => pass(piece, to)).catch(() => {});
    });
    return () => passing;
  }

  async function pass(piece: Buffer, to: Socket): Promise<void> {
    for (let at = 0; at < piece.length && !to.destroyed; ) {
      const { bytes, delayMs } = fault ?? { bytes: piece.length, delayMs: 0 };
      const end = at + Math.max(bytes, 1);
      if (delayMs > 0) await sleep(delayMs);
      to.write(piece.subarray(at, end));
      at = end;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    harm(next) {
      fault = next;
      if (isCut(next)) for (const socket of sockets) socket.destroy();
    },
    heal() {
      fault = null;
    },
    aim(next) {
      targets = [next];
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

const isCut = (fault: LinkFault | null): boolean => fault?.bytes === 0;
