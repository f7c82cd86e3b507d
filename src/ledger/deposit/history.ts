import type { RecordedDepositHistory } from "#deposit/timeline.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";

/** The full history of one deposit, in chronological order. */
type DepositHistory = Omit<RecordedDepositHistory, "state">;

/** Returns the attempts, evidence and transitions of a deposit. */
export async function findDepositHistory(
  database: Database,
  depositId: number,
): Promise<DepositHistory> {
  const [attempts, evidence, transitions] = await Promise.all([
    database
      .selectFrom("deposit_attempts")
      .select(["number", "kind", "opened_at as openedAt", "key_id as keyId", "worker"])
      .where("deposit_id", "=", depositId)
      .orderBy("number")
      .execute(),
    database
      .selectFrom("deposit_evidence")
      .select(["kind", "attempt", "at", "facts"])
      .where("deposit_id", "=", depositId)
      .orderBy("id")
      .execute(),
    database
      .selectFrom("deposit_transitions")
      .select(["event", "reason", "actor", "at"])
      .where("deposit_id", "=", depositId)
      .orderBy("seq")
      .execute(),
  ]);
  return { attempts, evidence, transitions };
}

/**
 * Records on the audit log that a person queries the status of a deposit. Returns false if there is
 * no such deposit.
 */
export async function recordDepositQuery(
  database: Database,
  { code, actor, at }: { readonly code: string; readonly actor: string; readonly at: Date },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom("deposits")
      .select("id")
      .where("transaction_code", "=", code)
      .executeTakeFirst();
    if (!known) return false;
    await appendAudit(transaction, at, { actor, action: "query_status", object: code, facts: {} });
    return true;
  });
}
