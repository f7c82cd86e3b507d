import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

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
