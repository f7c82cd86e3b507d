import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A balancer that sends each request to the next server, without sticky sessions. */
export interface Balancer {
  readonly url: string;
  /** Sets the ports of the servers. */
  use(ports: readonly number[]): void;
  /** Number of requests by port. */
  readonly served: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/** Starts a balancer, whose address the servers must know before they start. */
export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const served = new Map<number, number>();
  const server = createServer((incoming, outgoing) => {
    const port = ports[turn % ports.length] ?? 0;
    turn += 1;
    served.set(port, (served.get(port) ?? 0) + 1);
    const { method, url, headers } = incoming;
    const upstream = send(
      {
        host: "127.0.0.1",
        port,
        path: url,
        headers: { ...headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "" },
        ...(method === undefined ? {} : { method }),
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next) {
      ports = next;
    },
    served,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
