import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";

/**
 * Returns the file name as it is stored. Disks allow any name, so one that would imitate lines in a
 * list of batches is made visible.
 */
export const fileNameOf = (path: string): string => printable(basename(path)).slice(0, 255);

/**
 * Opens a file of payouts.
 * @throws CliError that says what is wrong with the file's name.
 */
export async function openFile(file: string): Promise<FileHandle> {
  const name = printable(file);
  try {
    const handle = await open(file);
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown cause";
    if (code === "ENOENT") throw new CliError(EXIT.notFound, `${name}: file not found`);
    const why =
      code === "EACCES"
        ? "this user does not have permission; ask the file's owner for access"
        : code;
    throw new CliError(EXIT.usage, `${name}: the file cannot be read (${why})`);
  }
  throw new CliError(
    EXIT.usage,
    `${name}: this is a folder. Specify a CSV file or an XLSX workbook.`,
  );
}

/**
 * Checks a file for a command that reads it twice.
 * @throws CliError if it can be read only once, or not at all.
 */
export async function assertFile(file: string): Promise<void> {
  const twice =
    "payrun reads each file twice to check whether it was uploaded before. Save the input as a regular file first.";
  if (file === "-")
    throw new CliError(EXIT.usage, `This command cannot read standard input: ${twice}`);
  const handle = await openFile(file);
  const isFile = (await handle.stat()).isFile();
  await handle.close();
  if (!isFile)
    throw new CliError(EXIT.usage, `${printable(file)}: this is a pipe or a device. ${twice}`);
}
