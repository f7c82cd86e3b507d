import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import type { FileFacts } from "#batch/batch.ts";
import { rejectRecords } from "#batch/rejects.ts";
import type { RejectedRow } from "#batch/row.ts";
import { CliError, EXIT } from "#cli/exit.ts";

/** Writes the rows that are refused, with what is wrong and how to repair it; to be corrected and checked again. */
export interface RejectsFile {
  add(rows: readonly RejectedRow[]): Promise<void>;
  /** Puts the file in its place: whole, or not at all. */
  finish(): Promise<void>;
  /** Leaves nothing behind. After `finish` it does nothing. */
  discard(): Promise<void>;
}

/**
 * Opens a file of rejects beside its final name, with the delimiter of the file that is checked.
 *
 * @throws CliError where the file cannot be written.
 */
export async function openRejects(path: string, facts: FileFacts): Promise<RejectsFile> {
  const records = rejectRecords(facts.header);
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await openForWriting(temporary, path);
  let unfinished = true;

  const write = async (rows: readonly (readonly string[])[]) => {
    await file.appendFile(stringify([...rows], { delimiter: facts.delimiter }));
  };
  // A spreadsheet reads UTF-8 without a mark as something else; a file that came without one keeps without.
  if (facts.encoding !== "UTF-8") await file.appendFile("\ufeff");
  await write([records.header]);

  return {
    async add(rows) {
      if (rows.length === 0) return;
      await write(rows.map((row) => records.of(row)));
    },
    async finish() {
      await file.sync();
      await rename(temporary, path);
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
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "its folder belongs to somebody else",
  EISDIR: "this is a folder; name a file in it",
  EROFS: "its disk is read-only",
  ENOSPC: "its disk is full",
};

async function openForWriting(temporary: string, path: string): Promise<FileHandle> {
  const refused = (code: string) =>
    new CliError(
      EXIT.usage,
      `--rejects ${path}: the file cannot be written (${WHY[code] ?? code})`,
    );
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory()) throw refused("EISDIR");
  try {
    return await open(temporary, "wx");
  } catch (error) {
    throw refused((error as NodeJS.ErrnoException).code ?? "unknown cause");
  }
}
