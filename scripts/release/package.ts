import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Folders with code, which the package contains compiled. */
const CODE = ["src", "jobs", "workers", "simulator", "client"];
/** Everything else that a running payrun reads, and the texts for its user. */
const UNCHANGED = [
  "dashboard/dist",
  "migrations",
  "samples",
  "docs/operate/runbook.md",
  "scripts/node",
  "scripts/verify-pack.mjs",
  "payrun",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
];
/** The name of a source file as a string, of an import or of a file that the code starts. */
const SOURCE_NAME = /(?<=["'])([\w#@./-]+)\.ts(?=["'])/g;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
  readonly exports?: unknown;
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
  readonly allowScripts?: unknown;
}

/** Reads a JSON file. */
export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** Writes a JSON file as npm does. */
export const writeJson = (path: string, content: unknown): void =>
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);

/**
 * Writes the files of the npm package into an empty folder: compiled JavaScript, the dashboard as
 * last built, and the dependencies of package-lock.json, verified by their hashes. npm fetches only
 * the programs of the machine's platform: PostgreSQL, and Node where it is too old.
 *
 * @param commit full hash of the commit that is packed. Null: unknown.
 */
export function writePackage(folder: string, commit: string | null): void {
  compileInto(folder);
  copyFiles(folder);
  // A tarball's own lock is not read by npm, so the dependencies are inside.
  for (const name of ["package.json", "package-lock.json"]) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  npm(["ci", "--omit=dev", "--omit=optional", "--ignore-scripts"], folder);
  rmSync(join(folder, "package-lock.json"));
  writeJson(
    join(folder, "package.json"),
    publicManifest(readJson(join(ROOT, "package.json")) as Manifest),
  );
  writeJson(join(folder, "build.json"), { commit });
}

/** Packs a folder with npm and returns the path of the tarball. */
export function pack(folder: string, target: string): string {
  const { name, version } = readJson(join(folder, "package.json")) as Manifest;
  npm(["pack", "--ignore-scripts", "--pack-destination", target], folder);
  return join(target, `${name}-${version}.tgz`);
}

function npm(args: readonly string[], cwd: string): void {
  const quiet = ["--no-fund", "--no-audit", "--loglevel=error"];
  execFileSync("npm", [...args, ...quiet], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

/** Copies everything that is not compiled. */
export function copyFiles(folder: string): void {
  for (const name of UNCHANGED) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
}

/** Compiles the code into the same folders, and copies the other files between it. */
export function compileInto(folder: string): void {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  // The client has its types with it, for other programs.
  for (const name of ["compile.tsconfig.json", "client.tsconfig.json"]) {
    const project = join(import.meta.dirname, name);
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
  }
  for (const each of CODE) {
    for (const name of filesBelow(folder, each)) {
      const path = join(folder, name);
      if (!/\.(?:js|d\.ts)$/.test(name)) continue;
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(SOURCE_NAME, "$1.js"));
    }
    // Other files are used unchanged, such as the styles of the payment page.
    for (const name of filesBelow(ROOT, each)) {
      if (extname(name) === ".ts") continue;
      cpSync(join(ROOT, name), join(folder, name), { errorOnExist: true, force: false });
    }
  }
}

const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** The entry points of the package for other programs: the API client, compiled. */
const EXPORTS = {
  "./client": { types: "./client/client.d.ts", default: "./client/client.js" },
};

/** Leaves out the parts of package.json that concern the development of payrun. */
export function publicManifest(manifest: Manifest): Manifest {
  const { scripts: _, devDependencies: __, allowScripts: ___, ...rest } = manifest;
  return { ...rest, exports: EXPORTS, bundleDependencies: Object.keys(rest.dependencies) };
}

/** Removes and creates a folder. */
export function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
