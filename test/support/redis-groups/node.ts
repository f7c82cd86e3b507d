import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedisServer } from "../../../scripts/prepare-tests.ts";
import { atExit } from "../servers/at-exit.ts";
import { eventually } from "../servers/eventually.ts";
import { onFreePort } from "../servers/ports.ts";

/** One process of a group of Redis servers, on a loopback port that it keeps. */
export interface RedisNode {
  readonly port: number;
  /** Location of its append-only file. */
  readonly folder: string;
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T>;
  /** Sends the signal. Resolves when the process has exited, except for SIGSTOP and SIGCONT. */
  signal(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Starts it again on its port, if it has exited. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a node with these lines of configuration, which it may rewrite.
 *
 * @param mode `--sentinel` for a sentinel.
 */
export async function startRedisNode(
  lines: readonly string[],
  mode: readonly string[] = [],
): Promise<RedisNode> {
  const binary = findRedisServer();
  if (!binary) throw new Error("no Redis server on this machine");
  const folder = mkdtempSync(join(tmpdir(), "payrun-redis-"));
  const file = join(folder, "redis.conf");
  let child: ChildProcess | null = null;
  atExit(() => {
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const isOver = () => !child || child.exitCode !== null || child.signalCode !== null;
  const spawned = async (port: number) => {
    const current = spawn(binary, [file, ...mode], { stdio: "ignore" });
    child = current;
    return eventually("Redis answers", async () => {
      if (current.exitCode !== null) return null;
      const facts = await ask(port, (client) => client.info("server")).catch(() => "");
      return facts.includes(`process_id:${current.pid}\r`) && port;
    });
  };
  const port = await onFreePort((free) => {
    // The bus of a cluster listens at the port plus 10,000.
    if (free > 50_000) return Promise.resolve(null);
    writeFileSync(
      file,
      [`port ${free}`, "bind 127.0.0.1", `dir ${folder}`, ...lines, ""].join("\n"),
    );
    return spawned(free);
  });
  const signal: RedisNode["signal"] = async (name) => {
    if (isOver()) return;
    const exited = once(child as ChildProcess, "exit");
    child?.kill(name);
    if (name === "SIGKILL" || name === "SIGTERM") await exited;
  };
  return {
    port,
    folder,
    ask: (command) => ask(port, command),
    signal,
    async start() {
      if (isOver()) await eventually("Redis is back", async () => (await spawned(port)) !== null);
    },
    async stop() {
      await signal("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask<T>(port: number, command: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({
    port,
    host: "127.0.0.1",
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    retryStrategy: () => null,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await command(client);
  } finally {
    client.disconnect();
  }
}
