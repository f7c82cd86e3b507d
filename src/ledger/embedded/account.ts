import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The account that runs PostgreSQL, if it is not the account of this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Accounts that may serve a new cluster, in the order of preference. Both exist for services, not
 * for people.
 */
const CANDIDATES = ["postgres", "nobody"];

/**
 * Returns the account for a new cluster. PostgreSQL refuses to run as root, so root runs it under
 * an account without rights. Undefined if this process is not root; PostgreSQL then runs under the
 * same account.
 */
export async function accountForNewCluster(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;

  // Read the file instead of a directory service: initdb also looks up its own name without one.
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const candidate of CANDIDATES) {
    const [, , uid, gid] = lines.find(([name]) => name === candidate) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has none of the accounts that payrun uses for it (${CANDIDATES.join(", ")}). Run payrun as an ordinary user, or set DATABASE_URL.`,
  );
}

/** Returns the owner of an existing cluster, because PostgreSQL runs under no other account. */
export async function accountOfCluster(folder: string): Promise<Account | undefined> {
  const ours = process.getuid?.();
  const { uid, gid } = await stat(folder);
  if (uid === ours) return undefined;
  if (ours === 0) return { uid, gid };
  throw new Error(
    `${folder} belongs to another account (uid ${uid}). Run payrun as that account or as root, set PAYRUN_DATA to a folder of your own, or set DATABASE_URL.`,
  );
}

/**
 * Returns whether the account may enter the folder. One closed folder on the path is enough to
 * prevent it.
 */
export async function mayEnter(account: Account, folder: string): Promise<boolean> {
  try {
    await run("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { ...account, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}
