/**
 * `npm run complete-lock`: makes npm rewrite the entries of package-lock.json that are missing or
 * have no integrity.
 *
 * npm writes the binaries of other platforms only when it resolves the package that names them. It
 * copies what it finds in node_modules without integrity. `npm ci` then refuses the lock on every
 * machine, or installs a package that nothing verifies. A test reports when this command is needed.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Entry {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Entry>;
}

/** Optional dependencies that a package in the lock names but the lock does not contain. */
export function missingFrom({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.keys(parent.optionalDependencies ?? {}).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
}

/** Packages that npm would install without verifying the download. "" is the project itself. */
export const unverifiedIn = ({ packages }: Lock): string[] =>
  Object.entries(packages).flatMap(([path, { integrity }]) =>
    path === "" || integrity?.startsWith("sha512-") ? [] : [path],
  );

const root = join(import.meta.dirname, "..");
const path = join(root, "package-lock.json");
/** Reads package-lock.json. */
export const readLock = (): Lock => JSON.parse(readFileSync(path, "utf8")) as Lock;

if (import.meta.main) {
  const lock = readLock();
  const unverified = unverifiedIn(lock);
  const renewed = new Set([...unverified.map(nameOf), ...missingFrom(lock)]);
  for (const entry of unverified) delete lock.packages[entry];
  // npm looks for the binaries of other platforms only when it resolves their package again.
  for (const [entry, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    const isParent = Object.keys(optionalDependencies).some((name) => renewed.has(name));
    if (entry !== "" && isParent) delete lock.packages[entry];
  }
  // Use an empty folder, so npm copies nothing from node_modules.
  const folder = mkdtempSync(join(tmpdir(), "payrun-lock-"));
  try {
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    const told = ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { status } = spawnSync("npm", told, { cwd: folder, stdio: "inherit" });
    if (status !== 0) throw new Error(`npm exited with ${status}`);
    copyFileSync(join(folder, "package-lock.json"), path);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const left = [...missingFrom(readLock()), ...unverifiedIn(readLock())];
  if (left.length > 0) {
    throw new Error(`the registry has no integrity for ${left.join(", ")}`);
  }
}

function nameOf(entry: string): string {
  return entry.slice(entry.lastIndexOf("node_modules/") + "node_modules/".length);
}
