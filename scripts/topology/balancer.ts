import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Milliseconds between two health checks of a server. */
const CHECK_MS = 500;
const CHECK_WITHIN_MS = 2_000;

export interface Balancer {
  readonly url: string;
  /** The servers that are ready, in the order in which they were given. */
  ready(): readonly string[];
  close(): Promise<void>;
}

/**
 * Passes each new connection to the next server whose `/readyz` returns 200, as
 * deploy/compose/haproxy.cfg does. No session stays at one server.
 * @param servers base URLs of the servers.
 */
export async function startBalancer(servers: readonly string[], port = 0): Promise<Balancer> {
  const ready = new Set<string>();
  const open = new Set<Socket>();
  let next = 0;

  const check = async (url: string) => {
    const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
    const isReady = await fetch(`${url}/readyz`, { signal, headers: { connection: "close" } }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    if (isReady) ready.add(url);
    else ready.delete(url);
  };
  const checkAll = () => Promise.all(servers.map(check));
  const inOrder = () => servers.filter((url) => ready.has(url));

  const server = createServer((client) => {
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => client.destroy());
    const [url] = inOrder().splice(next++ % Math.max(1, ready.size), 1);
    if (url === undefined) return void client.destroy();
    const { hostname, port: target } = new URL(url);
    const upstream = connect(Number(target), hostname);
    // The server has gone since the last check: the client connects again.
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });

  await checkAll();
  const timer = setInterval(() => void checkAll(), CHECK_MS);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: inOrder,
    async close() {
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
