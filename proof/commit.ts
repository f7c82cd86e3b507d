import { spawnSync } from "node:child_process";

/** The commit of a report. */
export function commitOf(): string {
  const git = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  return git.status === 0 ? git.stdout.trim() : "unknown";
}
