import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import { storableJson } from "#ledger/moves.ts";

/** What a callback said, once opened. It is kept, and it is never more than a reason to ask. */
export interface CallbackRecord {
  /** Null: the code is none of ours. */
  readonly payoutId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Keeps the callback once: the same one sent again adds nothing (F71, F123). One of a foreign code is kept apart (F73). */
export async function recordCallback(
  database: Database,
  { payoutId, facts }: CallbackRecord,
): Promise<void> {
  const text = storableJson(facts);
  await database.transaction().execute(async (transaction) => {
    // The same callback comes at two addresses at once: one of them looks after the other has written.
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
