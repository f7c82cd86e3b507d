import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../test/support/servers/payrun.ts";

/** The commit that counts as the previous release until there is a tag. */
const RECORDED = "110f3abf80aa721b13218cf8885df5a7ff101e9a";

/** A program that starts one of two releases, and switches from the previous to this one. */
export interface Releases {
  /** The command for TEST_PROGRAM. */
  readonly program: string;
  /** The commit, tag or folder of the previous release. */
  readonly previous: string;
  /** Processes that start from now on have this release. */
  switch(): void;
}

/**
 * Unpacks the previous release: the last tag of this history, or the recorded commit. If it has
 * other packages than this release, they are installed.
 *
 * @param wanted a commit, tag, or the folder of an unpacked release.
 * @throws Error if the history does not contain it.
 */
export function previousRelease(wanted: string, folder: string): Releases {
  const unpacked = join(folder, "previous");
  const previous = wanted === "last" ? (lastTag() ?? RECORDED) : wanted;
  if (existsSync(join(previous, "package.json"))) symlinkSync(previous, unpacked);
  else unpack(previous, unpacked);
  if (!existsSync(join(unpacked, "node_modules"))) {
    if (locked(unpacked) === locked(ROOT)) share("node_modules", unpacked);
    else install(unpacked);
  }
  if (!existsSync(join(unpacked, "dashboard/dist"))) share("dashboard/dist", unpacked);
  const place = join(folder, "release");
  const lead = (root: string) => {
    writeFileSync(`${place}.new`, root);
    renameSync(`${place}.new`, place);
  };
  lead(unpacked);
  const program = join(folder, "payrun-of-release");
  writeFileSync(program, `#!/bin/sh\nexec "$(cat '${place}')/payrun" "$@"\n`);
  chmodSync(program, 0o755);
  return { program, previous, switch: () => lead(ROOT) };
}

function lastTag(): string | null {
  const found = spawnSync("git", ["describe", "--tags", "--abbrev=0"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return found.status === 0 ? found.stdout.trim() : null;
}

const locked = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8");

const share = (path: string, folder: string) => symlinkSync(join(ROOT, path), join(folder, path));

function install(folder: string): void {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const { status, stderr } = spawnSync("npm", ["ci", ...flags], { cwd: folder, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`The packages of the previous release were not installed: ${stderr}`);
}

function unpack(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = spawnSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  const files =
    archive.status === 0 && spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  if (files && files.status === 0) return;
  throw new Error(
    `The previous release ${commit} is not in this clone: fetch the whole history (git fetch --unshallow --tags), or give --previous the folder of an unpacked release.`,
  );
}
