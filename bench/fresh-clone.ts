/**
 * Runs the README's first command as a newcomer does: in an empty folder with an empty home
 * directory and only Node and npm.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, scratch } from "./support.ts";

/** Seconds from the clone to the paid batch. */
export async function measureFreshClone(): Promise<number> {
  const folder = scratch();
  const home = join(folder, "home");
  mkdirSync(home);
  const step = (command: string, args: readonly string[], cwd: string) => {
    const { status, stderr } = spawnSync(command, args, {
      cwd,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home },
      encoding: "utf8",
    });
    if (status !== 0)
      throw new Error(`${command} ${args.join(" ")} exited with ${status}: ${stderr}`);
  };
  step("git", ["clone", "--quiet", ROOT, "clone"], folder);
  const clone = join(folder, "clone");
  const startedMs = performance.now();
  step("npm", ["ci"], clone);
  step("npm", ["run", "demo", "--", "--once"], clone);
  return (performance.now() - startedMs) / 1000;
}
