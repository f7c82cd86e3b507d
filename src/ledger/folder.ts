import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A folder that cannot be made, in a sentence that names the place and what is in the way. */
export class FolderError extends Error {
  readonly found: string;

  constructor(path: string, found: string) {
    super(`${path}: expected a folder, found that ${found}`);
    this.found = found;
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of the path is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the space that this user may take is used up",
};

/** What keeps a folder from taking a file, as words behind "found that"; null: it is not the folder. */
export function whyNotKept(error: unknown): string | null {
  if (error instanceof FolderError) return error.found;
  return error instanceof Error && "code" in error ? (WHY[String(error.code)] ?? null) : null;
}

/**
 * Makes the folder, and those above it, where they are missing. Not by Node's own recursion: that one tries for ever
 * where a folder takes no new entries (/proc). Others may not look into it; as root they may pass through, because
 * PostgreSQL's account has to reach its files.
 */
export async function makeFolder(
  path: string,
  mode = process.getuid?.() === 0 ? 0o711 : 0o700,
): Promise<void> {
  const above = dirname(path);
  let failure = await tryFolder(path, mode);
  if (failure === "ENOENT") {
    if (!(await isFolder(above))) await makeFolder(above, mode);
    failure = await tryFolder(path, mode);
  }
  if (failure === null) return;
  const found = WHY[failure] ?? `no folder can be made in ${above} (${failure})`;
  throw new FolderError(path, found);
}

/** Null: it is there; else why not. */
async function tryFolder(path: string, mode: number): Promise<string | null> {
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
