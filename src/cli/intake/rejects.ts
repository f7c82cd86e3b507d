import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import type { FileFacts } from "#intake/file-reader.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import type { RejectedRow } from "#intake/row.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";

/**
 * Writes the refused rows with their problems and how to correct them, so they can be corrected and
 * checked again.
 */
export interface RejectsFile {
  add(rows: readonly RejectedRow[]): Promise<void>;
  /** Moves the file to its final name: complete, or not at all. */
  finish(): Promise<void>;
  /** Deletes everything that was written. After `finish` it does nothing. */
  discard(): Promise<void>;
}

/**
 * Opens a file of rejected rows next to its final name, with the delimiter of the file that is
 * checked.
 *
 * @throws CliError if the file cannot be written.
 */
export async function openRejects(path: string, facts: FileFacts): Promise<RejectsFile> {
  const records = rejectRecords(facts.header);
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await openForWriting(temporary, path);
  let unfinished = true;

  const write = async (rows: readonly (readonly string[])[]) => {
    await orRefuse(file.appendFile(stringify([...rows], { delimiter: facts.delimiter })), path);
  };
  // Spreadsheets misread UTF-8 without a byte order mark. If the original file had none, none is
  // written.
  if (facts.encoding !== "UTF-8") await orRefuse(file.appendFile("\ufeff"), path);
  await write([records.header]);

  return {
    async add(rows) {
      if (rows.length === 0) return;
      await write(rows.map((row) => records.of(row)));
    },
    async finish() {
      await orRefuse(file.sync(), path);
      await orRefuse(rename(temporary, path), path);
      unfinished = false;
      await file.close();
    },
    async discard() {
      if (!unfinished) return;
      unfinished = false;
      await file.close();
      await rm(temporary, { force: true });
    },
  };
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "the folder does not exist",
  EACCES: "this user cannot write to the folder",
  EISDIR: "this is a folder; specify a file",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EFBIG: "the file exceeds this user's file size limit",
};

async function openForWriting(temporary: string, path: string): Promise<FileHandle> {
  const there = await lstat(path).catch(() => null);
  if (there?.isDirectory()) throw refused(path, "EISDIR");
  // For /dev/null and /dev/stdout the final rename would create a regular file there, for every
  // user of the machine.
  if (there?.isSymbolicLink())
    throw refused(path, "this is a symbolic link; specify the actual file");
  if (there && !there.isFile())
    throw refused(path, "this is a pipe or a device; specify a regular file");
  return orRefuse(open(temporary, "wx"), path);
}

async function orRefuse<T>(writing: Promise<T>, path: string): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    throw refused(path, (error as NodeJS.ErrnoException).code ?? "unknown cause");
  }
}

const refused = (path: string, code: string): CliError =>
  new CliError(EXIT.usage, `--rejects ${path}: the file cannot be written (${WHY[code] ?? code})`);
