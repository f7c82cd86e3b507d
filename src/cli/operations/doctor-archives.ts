import { join } from "node:path";
import { type Finding, ok, warning } from "#cli/operations/doctor-finding.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/**
 * Verifies the archive files whose rows are no longer in the ledger.
 *
 * @param folder folder with the files. Undefined: the files are only counted.
 */
export async function checkArchives(
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
  folder: string | undefined,
): Promise<Finding[]> {
  const { findArchives } = await import("#ledger/integrity/archive/registry.ts");
  const { openArchive } = await import("#integrity/archive/read.ts");
  const detached = (await findArchives(database)).filter(({ detached: parts }) => parts > 0);
  if (detached.length === 0) return [];
  if (folder === undefined) {
    const found = `${detached.length} with the only copy of removed rows; to verify them: payrun doctor --archives FOLDER`;
    return [ok(ARCHIVES, found)];
  }
  const findings: Finding[] = [];
  for (const { fileName, digest } of detached) {
    try {
      const archive = await openArchive(join(folder, fileName), sealer.publicKeys());
      try {
        if (!archive.digest.equals(digest))
          throw new Error("its manifest is not the registered one");
        await archive.verify();
      } finally {
        await archive.close();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const advice = "copy the file from its second place, and check again";
      findings.push(warning(ARCHIVES, `${fileName} is not usable: ${why}`, advice));
    }
  }
  const good = detached.length - findings.length;
  return good === 0
    ? findings
    : [ok(ARCHIVES, `${good} files in ${folder} are valid`), ...findings];
}

const ARCHIVES = "archives";
