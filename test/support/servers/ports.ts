import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/**
 * A free loopback port from the operating system. Another process may take it before it is used:
 * see `onFreePort`.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const TRIES_MAX = 10;

/**
 * Starts a server that must know its port in advance, retrying on another port while `start`
 * returns null, which means "taken".
 */
export async function onFreePort<T>(start: (port: number) => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const started = await start(await freePort());
    if (started !== null) return started;
  }
  throw new Error(`${TRIES_MAX} free ports in a row were taken before they were used`);
}
