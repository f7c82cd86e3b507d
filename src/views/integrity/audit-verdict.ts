import type { AUDIT_API } from "#api/integrity/audit.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { readCheckpoint, saveCheckpoint } from "#ledger/integrity/audit-checkpoint.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import type { Database } from "#ledger/store/database.ts";
import { parseAuditPosition } from "#integrity/audit-checkpoint.ts";

/**
 * Checks whether the hash chain of the whole log is intact and explains the ledger. Without a hash
 * that was saved elsewhere, the log is compared with the checkpoint of this machine.
 */
export async function auditVerdict(
  database: Database,
  now: Date,
  head: string | undefined,
): Promise<AnswerOf<(typeof AUDIT_API)["GET /api/audit/verify"]>> {
  if (head === undefined) await saveCheckpoint(database);
  const kept = head === undefined ? await readCheckpoint(database) : parseAuditPosition(head);
  const verdict = await verifyLedger(database, kept ?? undefined);
  const at = now.toISOString();
  if (verdict.intact) {
    const { lines, head, root } = verdict;
    return { at, intact: true, lines, latest_hash: head, root, broken_at: null, why: null };
  }
  const { brokenAt, why } = verdict;
  const lines = brokenAt === null ? verdict.lines : brokenAt - 1;
  return { at, intact: false, lines, latest_hash: null, root: null, broken_at: brokenAt, why };
}
