import type { RegisteredArchive } from "#ledger/integrity/archive/registry.ts";

/**
 * Where the archived rows are: in the ledger, in the ledger with a proposal to remove them, in the
 * ledger until they are removed, partly removed, or only in the file.
 */
export type StoredIn = "ledger" | "proposed" | "agreed" | "detaching" | "file";

/** Returns where the rows of an archive are. */
export function storedIn(
  archive: Pick<RegisteredArchive, "parts" | "detached" | "changed" | "isAgreed" | "isProposed">,
): StoredIn {
  const { parts, detached, changed, isAgreed, isProposed } = archive;
  if (detached === 0) return isAgreed ? "agreed" : isProposed ? "proposed" : "ledger";
  return detached + changed < parts ? "detaching" : "file";
}

/** Returns an archive as the API shows it. */
export const archiveView = (archive: RegisteredArchive) => ({
  id: archive.id,
  archive_file: archive.fileName,
  until: archive.until.toISOString(),
  batches: archive.batches,
  payouts: archive.payouts,
  stored: storedIn(archive),
  created_at: archive.createdAt.toISOString(),
});
