import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { findRedisServer } from "../../scripts/prepare-tests.ts";
import { scratch } from "./payrun.ts";

export interface RedisProcess {
  readonly url: string;
  /** For looking into it, and for `flushall`. */
  readonly client: Redis;
  kill(): Promise<void>;
  /** On the same port, with nothing of what it held: it keeps no file. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real Redis on a loopback port of its own, without persistence: what it forgets it forgets for good. */
export async function startRedis(): Promise<RedisProcess> {
  const port = await freePort();
  const binary = findRedisServer();
  if (!binary) throw new Error("no Redis server on this machine");
  const url = `redis://127.0.0.1:${port}`;
  const settings = ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"];
  let child: ReturnType<typeof spawn> | null = null;

  const start = async () => {
    child = spawn(
      binary,
      ["--port", String(port), "--bind", "127.0.0.1", "--dir", scratch(), ...settings],
      { stdio: "ignore" },
    );
    for (;;) {
      if (child.exitCode !== null) throw new Error(`Redis ended with ${child.exitCode}`);
      const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
      probe.on("error", () => {});
      const ready = await probe
        .connect()
        .then(() => probe.ping())
        .catch(() => null);
      probe.disconnect();
      if (ready === "PONG") return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  await start();
  const client = new Redis(url);
  client.on("error", () => {});
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    url,
    client,
    start,
    kill: () => end("SIGKILL"),
    async stop() {
      client.disconnect();
      await end("SIGTERM");
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
