import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to whoever connects: what is free now is not taken by a connection a moment later. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of the loopback that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}
