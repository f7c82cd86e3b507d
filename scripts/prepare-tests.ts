import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Servers that speak Redis, in the order of preference. The tests run against a real one. */
const SERVERS = ["valkey-server", "redis-server"];

/** Debian puts servers into folders that a user's PATH may lack. */
const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"];

/** The path of a Redis server on this machine, or undefined. */
export function findRedisServer(path = process.env["PATH"] ?? ""): string | undefined {
  const folders = [...path.split(delimiter), ...FOLDERS].filter(Boolean);
  return SERVERS.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * Makes sure that what the tests need beyond npm is here, and throws one sentence that says what to
 * install when it is not: a suite that passes by skipping proves nothing.
 */
export function prepareTests(): void {
  if (findRedisServer() !== undefined) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) installRedis();
  if (findRedisServer() === undefined) {
    throw new Error(
      "The tests need a Redis server: install redis-server or valkey-server (apt-get install redis-server, brew install redis).",
    );
  }
}

function installRedis(): void {
  console.error("installing redis-server for the tests (apt-get)");
  apt(["update"]);
  apt(["install", "--yes", "--no-install-recommends", "redis-server"]);
}

function apt(args: readonly string[]): void {
  // Debian's tools live in sbin, which a clean PATH may lack. RUNLEVEL=1 keeps the package from
  // starting its service: the tests start servers of their own.
  const path = [process.env["PATH"], ...FOLDERS, "/sbin", "/bin"].filter(Boolean).join(delimiter);
  const settings = { PATH: path, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  spawnSync("apt-get", args, { env: { ...process.env, ...settings }, stdio: ["ignore", 2, 2] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
