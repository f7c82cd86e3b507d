import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { isActedBy } from "#ledger/people/names.ts";

/**
 * Whether the person may see full accounts. The uploader, in person or by API key, has the file
 * anyway; others need the permission. Having corrected a batch is not enough, because anybody who
 * may upload can invent a row.
 */
export async function maySeeAccounts(
  { database }: Pick<ServerDeps, "database">,
  { permissions, actor }: Person,
  { maker }: Batch,
): Promise<boolean> {
  if (permissions.has("reveal")) return true;
  return permissions.has("upload") && isActedBy(database, actor, maker);
}

/** Records a view of full accounts on the audit log. */
export async function recordAccountView(
  { database, clock }: Pick<ServerDeps, "database" | "clock">,
  { actor }: Person,
  action: AuditAction,
  object: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const at = new Date(clock.nowMs());
  await database
    .transaction()
    .execute((transaction) => appendAudit(transaction, at, { actor, action, object, facts }));
}
