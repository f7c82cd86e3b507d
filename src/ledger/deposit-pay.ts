import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** Whether the payer's reference was handed in: an answer to that is on record, and it was no refusal. */
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
