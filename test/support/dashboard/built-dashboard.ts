import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../servers/payrun.ts";

const PAGE = join(ROOT, "dashboard/dist/index.html");
/** One build at a time: the test files that need it run in parallel. */
const LOCK = join(ROOT, "node_modules/.payrun-dashboard-build");
const LOCK_MS_MAX = 120_000;

/** Builds the dashboard when the build is older than its sources. */
export async function builtDashboard(): Promise<void> {
  // A build writes the page before the compressed files, so the page alone does not show its end.
  while (existsSync(LOCK) || isStale()) {
    if (!take(LOCK)) {
      await new Promise((wait) => setTimeout(wait, 250));
      continue;
    }
    try {
      if (isStale()) build();
    } finally {
      rmdirSync(LOCK);
    }
  }
}

function build(): void {
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, "build", "dashboard"], {
    cwd: ROOT,
    encoding: "utf8",
    // The test runner sets it to "test", which would include React's development checks.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new Error(`the dashboard does not build:\n${stdout}${stderr}`);
}

function isStale(): boolean {
  if (!existsSync(PAGE)) return true;
  const builtMs = statSync(PAGE).mtimeMs;
  const sources = readdirSync(join(ROOT, "dashboard"), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("dist"))
    .map((path) => join(ROOT, "dashboard", path));
  return sources.some((path) => statSync(path).mtimeMs > builtMs);
}

/** False: another process has it. A lock left behind long ago is ignored. */
function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > LOCK_MS_MAX) rmdirSync(lock);
    return false;
  }
}
