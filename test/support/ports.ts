import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to whoever connects: what is free now is not taken by a connection a moment later. */
const FIRST = 20_000;
/** Processes that test side by side look in different places: none takes what another has just found. */
const PROCESSES = 6;
const COUNT = 2_000;
const first = FIRST + (Number(process.env["VITEST_POOL_ID"] ?? 0) % PROCESSES) * COUNT;
const given = new Set<number>();

/** A port of the loopback that nobody uses at the moment, and that was given to nobody here. */
export async function freePort(): Promise<number> {
  const port = first + Math.floor(Math.random() * COUNT);
  if (given.has(port)) return freePort();
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
  given.add(port);
  return port;
}
