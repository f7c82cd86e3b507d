import { sql } from "kysely";
import { createTermKeys } from "#ledger/intake/search-terms.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Payouts that are opened at once. */
const CHUNK = 1_000;

interface Row {
  readonly id: number;
  readonly code: string;
  readonly sealed: Buffer;
}

/**
 * Writes the search terms of all payouts again under the newest key. An old backup has them under a
 * key that nobody has.
 */
export async function rewriteTerms(transaction: Database, sealer: Sealer): Promise<void> {
  await sql`select clear_terms()`.execute(transaction);
  const terms = createTermKeys(sealer);
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`
      select payout_id as id, transaction_code as code, sealed from payout_details
      where payout_id > ${after} order by payout_id limit ${CHUNK}`.execute(transaction);
    const payouts = rows.map(({ code, sealed }) => {
      const { details, reference } = openPayout(sealer, code, sealed);
      return { order: { details }, reference };
    });
    const { keys, places } = terms.of(payouts);
    await sql`
      insert into payout_terms (term, ids)
      select t.term, array_agg(t.id) from unnest(
        ${keys}::bigint[],
        ${places.map((place) => rows[place - 1]?.id ?? 0)}::bigint[]
      ) as t(term, id)
      group by t.term order by t.term`.execute(transaction);
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return;
    after = last.id;
  }
}
