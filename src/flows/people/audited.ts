import type { PeopleDeps } from "#flows/people/deps.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";

/**
 * Makes a change and writes its line to the audit log, in one transaction. The work returns the
 * facts of the line; null: nothing changed.
 */
export async function withAudit<T>(
  { ledger, clock }: Pick<PeopleDeps, "ledger" | "clock">,
  work: (
    transaction: LedgerSteps,
    at: Date,
  ) => Promise<{ readonly line: AuditLine | null; readonly value: T }>,
): Promise<T> {
  const at = new Date(clock.nowMs());
  return ledger.transaction(async (transaction) => {
    const { line, value } = await work(transaction, at);
    if (line) await transaction.integrity.appendAudit(at, line);
    return value;
  });
}
