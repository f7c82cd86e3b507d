/** `npm test`: makes sure of what the tests need, then runs Vitest with the arguments given. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { prepareTests } from "./prepare-tests.ts";

const root = join(import.meta.dirname, "..");

try {
  prepareTests();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}

// Vitest is started with this very Node, and finds it first on its PATH: where npm ran no install
// scripts, the `node` of the PATH may be too old for it.
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
// One folder for everything that the tests leave lying about. As root, PostgreSQL's account must get in.
const place = mkdtempSync(join(tmpdir(), "payrun-tests-"));
chmodSync(place, 0o755);
const env = {
  ...process.env,
  TMPDIR: place,
  // Made once for the run: what the command line compiles at each of its starts, and an empty PostgreSQL.
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

/** What is killed leaves nothing compiled behind, and the longest tests, which kill, come first. */
function warm(env: NodeJS.ProcessEnv): void {
  const modules = ["#cli/serve.ts", "#wiring.ts", "#workers/workers.ts", "#http/app.ts"];
  const text = modules.map((name) => `import "${name}";`).join("\n");
  spawn(process.execPath, ["--input-type=module", "--eval", text], { cwd: root, env });
}

/** Vitest may end a test file's process by a signal, and then its servers outlive it. They work in their folders. */
function endServersIn(folder: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has gone, or it is somebody else's.
    }
  }
}
