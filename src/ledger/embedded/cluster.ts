import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
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

import { makeFolder } from "#ledger/folder.ts";
import { type Account, accountForNewCluster, accountOfCluster, mayEnter } from "./account.ts";
import { NotStarted } from "./not-started.ts";
import { findBinaries, SERVER_ENV, SHARED_FOLDER } from "./binaries.ts";

const run = promisify(execFile);

export const USER = "payrun";
export const DATABASE = "payrun";

/** PostgreSQL's own data folder, with what is needed to serve it and to log in. */
export interface Cluster {
  readonly folder: string;
  readonly account: Account | undefined;
  readonly password: string;
}

/** The name inside the data folder: the cluster itself, or a link to where its account can reach it. */
const NAME = "pg";
/** Inside the cluster, so that folder and password come into being with the same rename. */
const PASSWORD_FILE = "payrun.password";

/** Whether a ledger was ever made in the data folder; a link that leads nowhere counts. */
export const hasCluster = (dataDir: string): boolean =>
  lstatSync(join(dataDir, NAME), { throwIfNoEntry: false }) !== undefined;

/** The cluster of the data folder; made when there is none. Safe when several processes do it at once. */
export async function ensureCluster(dataDir: string): Promise<Cluster> {
  await makeFolder(dataDir);
  const exists = await lstat(join(dataDir, NAME)).catch(() => undefined);
  if (!exists) await createCluster(dataDir);
  return openCluster(dataDir);
}

/** The cluster of the data folder, which must exist. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const name = join(dataDir, NAME);
  try {
    const folder = await realpath(name);
    const account = await accountOfCluster(folder);
    const password = (await readFile(join(folder, PASSWORD_FILE), "utf8")).trim();
    return { folder, account, password };
  } catch (cause) {
    // Never made anew over what is there: an empty ledger in the place of a full one pays twice.
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
      ? `the disk is full. A new one needs some ${NEEDED_MB} MB, and ${await freeMb(home)} MB are free. Nothing was kept. Make room there, or name a folder on another disk in PAYRUN_DATA.`
      : reasonOf(cause);
    throw new NotStarted(
      `The database could not be made in ${home}: ${reason}\nSet DATABASE_URL to use a PostgreSQL of your own.`,
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
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Sorting by code point never changes with the machine's libraries, so no index breaks with them.
    "--locale=C",
    "--data-checksums",
    "--no-instructions",
  ];
}

/** Gives the finished cluster its name. Of several processes one wins; the others use the winner's. */
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

/** A fresh folder that every account can pass through, for a data folder that only root can enter. */
async function reachableFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(SHARED_FOLDER, "data-"));
  await chmod(folder, 0o711);
  return realpath(folder);
}

/** initdb's own files, its log, and the log that PostgreSQL writes before its first checkpoint. */
const NEEDED_MB = 100;

const isDiskFull = (cause: unknown): boolean =>
  /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/.test(
    `${cause instanceof Error ? cause.message : ""} ${reasonOf(cause)}`,
  );

/** Megabytes that are free on the disk of the folder. */
export async function freeMb(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  return ((bavail * bsize) / 1e6).toFixed(0);
}

/** What a program said before it gave up, which is more than its exit code. */
function reasonOf(cause: unknown): string {
  const stderr = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
  return stderr || (cause instanceof Error ? cause.message : String(cause));
}
