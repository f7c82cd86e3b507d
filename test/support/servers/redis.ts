import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedisServer } from "../../../scripts/prepare-tests.ts";
import { atExit } from "./at-exit.ts";
import { eventually } from "./eventually.ts";
import { onFreePort } from "./ports.ts";

export interface RedisProcess {
  readonly url: string;
  /** Location of its append-only file. */
  readonly folder: string;
  flushall(): Promise<void>;
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open without answers until `stop` or `restart`. */
  stall(): void;
  /**
   * SIGKILL if it still runs, then a start on the same port. Without `appendonly` it has forgotten
   * everything.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A separate real Redis on a loopback port. */
export async function startRedis(
  settings: { readonly appendonly?: boolean } = {},
): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), "payrun-redis-"));
  let url = "";
  const binary = findRedisServer();
  if (!binary) throw new Error("no Redis server on this machine");
  const lines: Readonly<Record<string, string>> = {
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    appendonly: settings.appendonly ? "yes" : "no",
    // All commands in their order, so everything that was ever stored can be read there.
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
  /**
   * Null: it exited, as it does when its port is taken. Another Redis at the port has another
   * process id.
   */
  const start = async (port: number) => {
    url = `redis://127.0.0.1:${port}`;
    const settings = { ...lines, port: String(port) };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(binary, args, { stdio: "ignore" });
    server = child;
    const isOurs = (client: Redis) =>
      client.info("server").then((facts) => facts.includes(`process_id:${child.pid}\r`));
    return eventually("Redis answers", async () => {
      if (child.exitCode !== null) return null;
      return (await ask(isOurs).catch(() => false)) && port;
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
  const port = await onFreePort(start);
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
      // A connection of another process may have its port for a moment.
      await eventually("Redis is back", async () => (await start(port)) !== null);
    },
    async stop() {
      server?.kill("SIGCONT");
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
