/**
 * `npm test`: ensures that the tests have what they need, then runs Vitest with the given
 * arguments.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { prepareTests } from "./prepare-tests.ts";

const root = join(import.meta.dirname, "..");
/** Bytes: the files of the tests, and twice that for their processes. */
const ROOM_IN_MEMORY = 12e9;

try {
  prepareTests();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}

// Start Vitest with this Node and put it first on the PATH. Where npm ran no install scripts, the
// `node` on the PATH may be too old.
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
// One folder for all temporary files of the tests. As root, the PostgreSQL account must be able to
// enter.
const place = mkdtempSync(join(memoryFolder() ?? tmpdir(), "payrun-tests-"));
chmodSync(place, 0o755);
const env = {
  ...process.env,
  TMPDIR: place,
  // Created once per run: the compile cache of the command line, and an empty PostgreSQL cluster.
  NODE_COMPILE_CACHE: join(place, "compiled"),
  PAYRUN_TEST_CLUSTER: join(place, "cluster"),
  PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(":"),
};
if (process.argv.length === 2) warm(env);
const run = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => run.kill(signal));
run.on("exit", (code) => {
  endServersIn(place);
  rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.exit(code ?? 1);
});

/**
 * A file system in memory, where the machine has one with room for the tests: creating hundreds of
 * databases on a disk takes minutes of processor time.
 */
function memoryFolder(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const folder = "/dev/shm";
  try {
    const mounts = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "));
    const [, , type, options = ""] = mounts.find(([, path]) => path === folder) ?? [];
    const { bavail, bsize } = statfsSync(folder);
    const available = /^MemAvailable: *(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8"));
    const room = Math.min(bavail * bsize, Number(available?.[1] ?? 0) * 1024);
    const runsPrograms = type === "tmpfs" && !options.split(",").includes("noexec");
    return runsPrograms && room >= ROOM_IN_MEMORY ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Killed processes write no compile cache, and the longest tests, which kill processes, run first.
 */
function warm(env: NodeJS.ProcessEnv): void {
  const modules = [
    "#cli/app/serve.ts",
    "#composition/server.ts",
    "#app/wiring.ts",
    "#workers/workers.ts",
  ];
  const text = modules.map((name) => `import "${name}";`).join("\n");
  spawn(process.execPath, ["--input-type=module", "--eval", text], { cwd: root, env });
}

/**
 * Vitest may end the process of a test file with a signal, which leaves its servers running. They
 * run in the folders of the tests.
 */
function endServersIn(folder: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // The process has exited, or it belongs to another user.
    }
  }
}
