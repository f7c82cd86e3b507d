import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedisServer } from "../../scripts/prepare-tests.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./ports.ts";

export interface RedisProcess {
  readonly url: string;
  /** Where it keeps its append-only file. */
  readonly folder: string;
  flushall(): Promise<void>;
  kill(): Promise<void>;
  /** SIGSTOP: connections stay, and nothing is answered, until `stop` or `restart`. */
  stall(): void;
  /** SIGKILL where it still runs, then a start on the same port. Without `appendonly` it has forgotten everything. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A real Redis on a loopback port of its own. */
export async function startRedis(
  settings: { readonly appendonly?: boolean } = {},
): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), "payrun-redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const binary = findRedisServer();
  if (!binary) throw new Error("no Redis server on this machine");
  const lines: Readonly<Record<string, string>> = {
    port: String(port),
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    appendonly: settings.appendonly ? "yes" : "no",
    // Commands as they were given, from the first to the last: what was ever in it can be read there.
    "aof-use-rdb-preamble": "no",
    "auto-aof-rewrite-percentage": "0",
    "maxmemory-policy": "noeviction",
  };
  let server: ChildProcess | null = null;

  const ask = async <T>(command: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return await command(client);
    } finally {
      client.disconnect();
    }
  };
  const start = async () => {
    const args = Object.entries(lines).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(binary, args, { stdio: "ignore" });
    server = child;
    await eventually("Redis answers", async () => {
      if (child.exitCode !== null) throw new Error(`Redis ended with ${child.exitCode}`);
      return ask((client) => client.ping()).catch(() => false);
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  };
  atExit(() => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url,
    folder,
    async flushall() {
      await ask((client) => client.flushall());
    },
    kill: () => end("SIGKILL"),
    stall: () => void server?.kill("SIGSTOP"),
    async restart() {
      await end("SIGKILL");
      await start();
    },
    async stop() {
      server?.kill("SIGCONT");
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
