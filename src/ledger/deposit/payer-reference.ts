import { sql } from "kysely";
import type { DepositClaim } from "#ledger/deposit/attempts.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * Returns whether the payer's reference was sent to the gateway: an answer to it is recorded and is
 * not a refusal.
 */
export async function hasPayerReference(database: Database, depositId: number): Promise<boolean> {
  const attempt = await database
    .selectFrom("deposit_attempts as a")
    .innerJoin("deposit_evidence as e", (join) =>
      join.onRef("e.deposit_id", "=", "a.deposit_id").onRef("e.attempt", "=", "a.number"),
    )
    .select("a.number")
    .where("a.deposit_id", "=", depositId)
    .where("a.kind", "=", "reference")
    .where("e.kind", "=", "answer")
    .where(sql`e.facts->>'outcome'`, "in", ["taken", "duplicate", "in_doubt"])
    .limit(1)
    .executeTakeFirst();
  return attempt !== undefined;
}

/**
 * Records that the payer's reference is about to be sent to the gateway. Returns null if the
 * deposit does not wait for money.
 */
export async function claimReference(
  database: Database,
  sealer: Sealer,
  {
    code,
    reference,
    worker,
    keyId,
  }: Omit<DepositClaim, "leaseMs"> & {
    readonly code: string;
    readonly reference: string;
  },
): Promise<{ readonly depositId: number; readonly number: number } | null> {
  const { rows } = await sql<{ id: number; attempts: number }>`
    with
    counted_deposits as (
      update deposits
      set attempts = attempts + 1, updated_at = now()
      where transaction_code = ${code}
        and state in ('awaiting_payment', 'expired')
      returning id, attempts
    ),
    recorded_attempts as (
      insert into deposit_attempts (deposit_id, number, kind, payload_digest, key_id, worker)
      select id, attempts, 'reference', ${sealer.digest(reference)}, ${keyId}, ${worker}
      from counted_deposits
    )
    select *
    from counted_deposits`.execute(database);
  const [row] = rows;
  return row ? { depositId: row.id, number: row.attempts } : null;
}
