import type { PeopleDeps } from "#flows/people/deps.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-chain.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";

/**
 * Makes a change and writes its line to the audit log, in one transaction. The work returns the
 * facts of the line; null: nothing changed.
 */
export async function withAudit<T>(
  { database, clock }: Pick<PeopleDeps, "database" | "clock">,
  work: (
    transaction: Database,
    at: Date,
  ) => Promise<{ readonly line: AuditLine | null; readonly value: T }>,
): Promise<T> {
  const at = new Date(clock.nowMs());
  return inTransaction(database, async (transaction) => {
    const { line, value } = await work(transaction, at);
    if (line) await appendAudit(transaction, at, line);
    return value;
  });
}
