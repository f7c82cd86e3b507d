import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Thrown when a folder cannot be created. The message names the folder and the obstacle. */
export class FolderError extends Error {
  readonly found: string;

  constructor(path: string, found: string) {
    super(`${path} cannot be used as a folder: ${found}`);
    this.found = found;
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOTDIR: "part of the path is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's disk quota is exceeded",
};

/**
 * Returns the reason why a folder does not accept a file, as a clause without a full stop, or
 * null if the folder is not the cause.
 */
export function whyNotWritable(error: unknown): string | null {
  if (error instanceof FolderError) return error.found;
  return error instanceof Error && "code" in error ? (WHY[String(error.code)] ?? null) : null;
}

/**
 * Creates the folder and missing parents. Does not use Node's recursive option, which retries
 * forever where a folder accepts no new entries (/proc). Other accounts may not read the folder. If
 * root creates it, they may pass through, because PostgreSQL's account must reach its files.
 */
export async function makeFolder(
  path: string,
  mode = process.getuid?.() === 0 ? 0o711 : 0o700,
): Promise<void> {
  const above = dirname(path);
  let failure = await obstacleTo(path, mode);
  if (failure === "ENOENT") {
    if (!(await isFolder(above))) await makeFolder(above, mode);
    failure = await obstacleTo(path, mode);
  }
  if (failure === null) return;
  const found = WHY[failure] ?? `a folder cannot be created in ${above} (${failure})`;
  throw new FolderError(path, found);
}

/** Returns null if the folder exists, or else the obstacle. */
async function obstacleTo(path: string, mode: number): Promise<string | null> {
  try {
    await mkdir(path, { mode });
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "EEXIST") return code;
    return (await isFolder(path)) ? null : "ENOTDIR";
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;
