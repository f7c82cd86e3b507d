import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  statfs,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { makeFolder } from "#ledger/store/folder.ts";
import { type Account, accountForNewCluster, accountOfCluster, mayEnter } from "./account.ts";
import { NotStarted } from "./not-started.ts";
import { findBinaries, SERVER_ENV, SHARED_FOLDER } from "./binaries.ts";

const run = promisify(execFile);

/** Role that owns the ledger; a superuser. */
export const OWNER = "payrun";
/** Role of the application, which is created with the first migration. */
const APPLICATION = "payrun_app";
export const DATABASE = "payrun";

/** PostgreSQL's own data folder, with everything needed to run the server and to log in. */
export interface Cluster {
  readonly folder: string;
  readonly account: Account | undefined;
  readonly password: string;
}

/**
 * Name inside the data folder. It is the cluster itself, or a link to a place that its account can
 * reach.
 */
const NAME = "pg";
/** The file is inside the cluster, so that folder and password appear with the same rename. */
const PASSWORD_FILE = "payrun.password";

/**
 * Returns the application's role and password. The password is derived from the owner's, so it
 * needs no file of its own, and it does not reveal the owner's.
 */
export const applicationOf = ({ password }: Cluster) => ({
  user: APPLICATION,
  password: createHmac("sha256", password).update(APPLICATION).digest("hex"),
});

/** Returns whether a ledger was ever created in the data folder. A link without a target counts. */
export const hasCluster = (dataDir: string): boolean =>
  lstatSync(join(dataDir, NAME), { throwIfNoEntry: false }) !== undefined;

/**
 * Returns the cluster of the data folder, and creates it if there is none. Several processes may
 * call this simultaneously.
 */
export async function ensureCluster(dataDir: string): Promise<Cluster> {
  await makeFolder(dataDir);
  const exists = await lstat(join(dataDir, NAME)).catch(() => undefined);
  if (!exists) await createCluster(dataDir);
  return openCluster(dataDir);
}

/** Returns the cluster of the data folder, which must exist. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const name = join(dataDir, NAME);
  try {
    const folder = await realpath(name);
    const account = await accountOfCluster(folder);
    const password = (await readFile(join(folder, PASSWORD_FILE), "utf8")).trim();
    return { folder, account, password };
  } catch (cause) {
    // An existing name is never replaced: an empty ledger in place of a full one would pay files
    // twice.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NotStarted(`The database in ${name} cannot be opened: ${reason}`, { cause });
  }
}

async function createCluster(dataDir: string): Promise<void> {
  const account = await accountForNewCluster();
  const { initdb, postgres } = await findBinaries(account, dataDir);
  const reachable = account === undefined || (await mayEnter(account, dataDir));
  const home = reachable ? dataDir : await reachableFolder();

  const unique = randomBytes(6).toString("hex");
  const password = randomBytes(24).toString("hex");
  const folder = join(home, `${NAME}.${unique}.tmp`);
  const passwordFile = join(home, `${NAME}.${unique}.password`);
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account) {
      for (const path of [folder, passwordFile]) await chown(path, account.uid, account.gid);
    }
    const options = { ...account, cwd: "/", env: SERVER_ENV };
    await run(initdb, initdbArguments(folder, passwordFile), options);
    const single = run(postgres, ["--single", "-D", folder, "postgres"], options);
    single.child.stdin?.end(`create database ${DATABASE}\n`);
    await single;
    await rename(passwordFile, join(folder, PASSWORD_FILE));
    await publish(folder, home, dataDir);
  } catch (cause) {
    const reason = isDiskFull(cause)
      ? `the disk is full. A new database needs about ${NEEDED_MB} MB, and ${await freeMb(home)} MB are free. No files were left behind. Free disk space, or set PAYRUN_DATA to a folder on another disk.`
      : reasonOf(cause);
    throw new NotStarted(
      `The database could not be created in ${home}: ${reason}\nSet DATABASE_URL to use your own PostgreSQL server.`,
      { cause },
    );
  } finally {
    await rm(passwordFile, { force: true });
    await rm(folder, { recursive: true, force: true });
    if (home !== dataDir && !(await isPublished(home, dataDir))) {
      await rm(home, { recursive: true, force: true });
    }
  }
}

function initdbArguments(folder: string, passwordFile: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${OWNER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Sorting by code point is independent of the machine's libraries, so a library update cannot
    // break an index.
    "--locale=C",
    "--data-checksums",
    "--no-instructions",
  ];
}

/**
 * Gives the finished cluster its name. If several processes do this, one wins, and the others use
 * its cluster.
 */
async function publish(folder: string, home: string, dataDir: string): Promise<void> {
  try {
    if (home === dataDir) return await rename(folder, join(dataDir, NAME));
    await rename(folder, join(home, NAME));
    await symlink(join(home, NAME), join(dataDir, NAME));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "EEXIST" && code !== "ENOTEMPTY") throw cause;
  }
}

const isPublished = async (home: string, dataDir: string): Promise<boolean> =>
  (await realpath(join(dataDir, NAME)).catch(() => undefined)) === join(home, NAME);

/**
 * Creates a folder that every account can pass through, for a data folder that only root can enter.
 */
async function reachableFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(SHARED_FOLDER, "data-"));
  await chmod(folder, 0o711);
  return realpath(folder);
}

/**
 * Disk space in MB for initdb's files, its log, and the log that PostgreSQL writes before its first
 * checkpoint.
 */
const NEEDED_MB = 100;

const isDiskFull = (cause: unknown): boolean =>
  /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/.test(
    `${cause instanceof Error ? cause.message : ""} ${reasonOf(cause)}`,
  );

/** Returns the free megabytes on the disk of the folder. */
export async function freeMb(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  return ((bavail * bsize) / 1e6).toFixed(0);
}

/** Returns the last output of a failed program, which says more than its exit code. */
function reasonOf(cause: unknown): string {
  const stderr = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
  return stderr || (cause instanceof Error ? cause.message : String(cause));
}
