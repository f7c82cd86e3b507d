import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Servers that speak Redis, in the order of preference. The tests run against a real one. */
const SERVERS = ["valkey-server", "redis-server"];

/** Debian puts servers into folders that a user's PATH may lack. */
const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"];

/** Browsers that the dashboard is tested in, in the order of preference: one without windows takes a fifth less time. */
const BROWSERS = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const ELSEWHERE = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** The path of a Redis server on this machine, or undefined. */
export const findRedisServer = (path = process.env["PATH"]): string | undefined =>
  find(SERVERS, path);

/** The path of a Chromium on this machine, or undefined. */
export const findBrowser = (path = process.env["PATH"]): string | undefined =>
  find(BROWSERS, path) ?? ELSEWHERE.find(isExecutable);

function find(names: readonly string[], path = ""): string | undefined {
  const folders = [...path.split(delimiter), ...FOLDERS].filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * Makes sure that what the tests need beyond npm is here, and throws one sentence that says what to
 * install when it is not: a suite that passes by skipping proves nothing.
 */
export function prepareTests(): void {
  const needed = [
    {
      find: findRedisServer,
      debian: "redis-server",
      words:
        "a Redis server: install redis-server or valkey-server (apt-get install redis-server, brew install redis)",
    },
    {
      find: findBrowser,
      debian: "chromium",
      words:
        "Chromium: install chromium or Google Chrome (apt-get install chromium, brew install --cask google-chrome)",
    },
  ];
  const missing = needed.filter(({ find }) => find() === undefined);
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    install(missing.map(({ debian }) => debian));
  }
  const still = missing.find(({ find }) => find() === undefined);
  if (still) throw new Error(`The tests need ${still.words}.`);
}

/** Debian asks this file whether a package may start its service; 101 is no. The tests start servers of their own. */
const POLICY = "/usr/sbin/policy-rc.d";

function install(packages: readonly string[]): void {
  console.error(`installing ${packages.join(" and ")} for the tests (apt-get)`);
  const ours = !existsSync(POLICY);
  if (ours) writeFileSync(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    apt(["update"]);
    apt(["install", "--yes", "--no-install-recommends", ...packages]);
  } finally {
    if (ours) rmSync(POLICY, { force: true });
  }
}

function apt(args: readonly string[]): void {
  // Debian's tools live in sbin, which a clean PATH may lack.
  const path = [process.env["PATH"], ...FOLDERS, "/sbin", "/bin"].filter(Boolean).join(delimiter);
  const env = { ...process.env, PATH: path, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
