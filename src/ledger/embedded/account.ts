import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The account that PostgreSQL runs as, where that is not our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Who may serve a new cluster, in the order of preference: both exist for servers without a person. */
const CANDIDATES = ["postgres", "nobody"];

/**
 * PostgreSQL refuses to run as root, so root hands it to an account of the machine without rights.
 * Undefined: we are not root, and it runs as ourselves.
 */
export async function accountForNewCluster(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;

  // From the file and not from a directory service: initdb looks its own name up without one, too.
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const candidate of CANDIDATES) {
    const [, , uid, gid] = lines.find(([name]) => name === candidate) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has no account for it (${CANDIDATES.join(", ")}). Run payrun as an ordinary user, or set DATABASE_URL.`,
  );
}

/** A cluster that exists is served by its owner: PostgreSQL accepts nobody else. */
export async function accountOfCluster(folder: string): Promise<Account | undefined> {
  const ours = process.getuid?.();
  const { uid, gid } = await stat(folder);
  if (uid === ours) return undefined;
  if (ours === 0) return { uid, gid };
  throw new Error(
    `${folder} belongs to another account (uid ${uid}). Run payrun as that account or as root, set PAYRUN_DATA to a folder of your own, or set DATABASE_URL.`,
  );
}

/** Whether the account may enter the folder: one closed folder on the way down is enough to fail. */
export async function mayEnter(account: Account, folder: string): Promise<boolean> {
  try {
    await run("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { ...account, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}
