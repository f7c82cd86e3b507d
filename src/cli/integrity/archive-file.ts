import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { OpenArchive } from "#integrity/archive/read.ts";
import type { ArchiveRefusal } from "#ledger/integrity/archive/registry.ts";

export interface WithFile {
  readonly archive: OpenArchive;
}

/** Opens an archive file for one command, and closes it however the command ends. */
export async function openedArchive(
  path: string,
  keys: readonly string[],
  work: (file: WithFile) => Promise<void>,
): Promise<void> {
  const { openArchive } = await import("#integrity/archive/read.ts");
  const archive = await archiveErrors(path, () => openArchive(path, keys));
  try {
    await work({ archive });
  } finally {
    await archive.close();
  }
}

const REFUSALS: Readonly<Record<ArchiveRefusal, string>> = {
  other_lines: "The file contains other lines than the archive that the ledger knows.",
  not_agreed:
    "Two admins must agree to remove the rows of this archive: one proposes it under Settings → Archives, another confirms it.",
  frozen: "The ledger is frozen. Remove rows after it has been unfrozen.",
};

/** Words damaged files, files that cannot be read or written, and refusals of the ledger. */
export async function archiveErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { PackError } = await import("#integrity/evidence-pack/archive-reader.ts");
  const { refusedArchive } = await import("#ledger/integrity/archive/registry.ts");
  const { LogNotIntactError } = await import("#ledger/integrity/archive/create-archive.ts");
  try {
    return await work();
  } catch (error) {
    if (error instanceof PackError)
      throw new CliError(
        EXIT.problems,
        `The archive ${path} is not valid: ${error.message}. No rows were removed.`,
      );
    if (error instanceof LogNotIntactError)
      throw new CliError(
        EXIT.unexpected,
        `The audit log is not intact: ${error.message}. No archive was created.`,
      );
    const why = refusedArchive(error);
    if (why !== null)
      throw new CliError(EXIT.conflict, `${REFUSALS[why]} No further rows were removed.`);
    if (error instanceof Error && "syscall" in error) {
      const { code = "unknown cause" } = error as NodeJS.ErrnoException;
      throw new CliError(EXIT.notFound, `${path} cannot be used (${code}).`);
    }
    throw error;
  }
}
