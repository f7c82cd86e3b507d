import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { storableJson } from "#postgres/storable-json.ts";

/**
 * Content of a callback after decryption. It is stored, and it is never more than a reason to query
 * the status.
 */
export interface CallbackRecord {
  /** Null if the transaction code is not one of payrun's. */
  readonly payoutId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * Stores a callback once: a repeated callback adds nothing (F71, F123). A callback with a foreign
 * code is stored separately (F73).
 */
export async function recordCallback(
  database: Database,
  { payoutId, facts }: CallbackRecord,
): Promise<void> {
  const text = storableJson(facts);
  await database.transaction().execute(async (transaction) => {
    // The same callback can arrive at two addresses simultaneously. With the lock, the second check
    // runs after the first one has written.
    await sql`select pg_advisory_xact_lock(hashtext(${`payrun callback ${text}`}))`.execute(
      transaction,
    );
    await (payoutId === null
      ? sql`insert into stray_callbacks (facts)
          select ${text}::jsonb where not exists (select from stray_callbacks where facts = ${text}::jsonb)`
      : sql`insert into evidence (payout_id, kind, facts)
          select ${payoutId}, 'callback', ${text}::jsonb where not exists (
            select from evidence where payout_id = ${payoutId} and kind = 'callback' and facts = ${text}::jsonb)`
    ).execute(transaction);
  });
}
