import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Servers that speak the Redis protocol, in order of preference. The tests run against a real one.
 */
const SERVERS = ["valkey-server", "redis-server"];

/** Debian puts servers into folders that may be missing from a user's PATH. */
const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"];

/** Chromium without windows: the same pages take a quarter less processor time. */
const HEADLESS_SHELL = "chromium-headless-shell";

/** Browsers for the dashboard tests, in order of preference. */
const BROWSERS = [
  HEADLESS_SHELL,
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const ELSEWHERE = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Path of a Redis server on this machine, or undefined. */
export const findRedisServer = (path = process.env["PATH"]): string | undefined =>
  find(SERVERS, path);

/** Path of PgBouncer on this machine, or undefined. */
export const findPgBouncer = (path = process.env["PATH"]): string | undefined =>
  find(["pgbouncer"], path);

/** Path of a Chromium on this machine, or undefined. */
export const findBrowser = (path = process.env["PATH"]): string | undefined =>
  find(BROWSERS, path) ?? ELSEWHERE.find(isExecutable);

/** Path of promtool, which tests the alert rules, or undefined. */
export const findPromtool = (path = process.env["PATH"]): string | undefined =>
  find(["promtool"], path);

function find(names: readonly string[], path = ""): string | undefined {
  const folders = [...path.split(delimiter), ...FOLDERS].filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Languages whose names the dashboard must be able to show. */
const LANGUAGES = ["bn", "hi", "ja", "ko", "th", "zh-cn"];

/** Whether fonts for all of LANGUAGES are installed, or undefined. Only Linux may have none. */
function findFonts(): true | undefined {
  if (process.platform !== "linux") return true;
  const isShown = (language: string): boolean =>
    spawnSync("fc-list", [`:lang=${language}`], { encoding: "utf8" }).stdout?.trim() !== "";
  const hasTool = spawnSync("fc-list", ["--version"]).status === 0;
  return (hasTool && LANGUAGES.every(isShown)) || undefined;
}

interface Need {
  readonly find: () => string | true | undefined;
  /** Names of its Debian packages. */
  readonly debian: readonly string[];
  /** Names it and says how to install it. Completes "The tests need". */
  readonly words: string;
}

/**
 * Ensures that everything the tests need beyond npm is installed. Otherwise throws a message that
 * says what to install: a suite that passes by skipping tests proves nothing.
 */
export function prepareTests(): void {
  const needed: readonly Need[] = [
    {
      find: findRedisServer,
      debian: ["redis-server"],
      words:
        "a Redis server: install redis-server or valkey-server (apt-get install redis-server, brew install redis)",
    },
    {
      find: findPgBouncer,
      debian: ["pgbouncer"],
      words: "PgBouncer: install pgbouncer (apt-get install pgbouncer, brew install pgbouncer)",
    },
    {
      find: findBrowser,
      debian: ["chromium"],
      words:
        "Chromium: install chromium or Google Chrome (apt-get install chromium, brew install --cask google-chrome)",
    },
    {
      find: findPromtool,
      debian: ["prometheus"],
      words: "promtool: install Prometheus (apt-get install prometheus, brew install prometheus)",
    },
    {
      find: findFonts,
      debian: ["fontconfig", "fonts-noto-core", "fonts-noto-cjk"],
      words:
        "fonts for names in Asian scripts: install Noto (apt-get install fontconfig fonts-noto-core fonts-noto-cjk)",
    },
  ];
  const isMissing = ({ find }: Need) => find() === undefined;
  const canInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (canInstall && findBrowser() === undefined) installHeadlessShell();
  const missing = needed.filter(isMissing);
  if (missing.length === 0) return;
  if (canInstall) install(missing.flatMap(({ debian }) => debian));
  const still = missing.find(isMissing);
  if (still) throw new Error(`The tests need ${still.words}.`);
}

/**
 * Debian runs this file to ask whether a package may start its service; exit code 101 means no. The
 * tests start their own servers.
 */
const POLICY = "/usr/sbin/policy-rc.d";

/** Ubuntu has no such package; there the tests need its Chromium. */
function installHeadlessShell(): void {
  apt(["update"]);
  const { status } = spawnSync("apt-cache", ["show", HEADLESS_SHELL], { stdio: "ignore" });
  if (status === 0) install([HEADLESS_SHELL]);
}

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
  // Debian's tools are in sbin, which may be missing from a clean PATH.
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
