import { type RawBuilder, sql } from "kysely";
import { tailKey } from "#ledger/intake/search-terms.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { accountNumberOf } from "#payout/payout.ts";

/**
 * Maximum number of different accounts with the same ending. With a million payouts there are some
 * hundreds.
 */
const SAME_ENDING_MAX = 10_000;

/**
 * Returns the condition that an account has this number, or null if no payout can match. The digest
 * of an account also contains currency and bank, which nobody types, so the accounts with the same
 * ending are decrypted, each once. An account whose payouts are all archived cannot be decrypted.
 */
export async function accountIs(
  database: Database,
  sealer: Sealer,
  account: string,
): Promise<RawBuilder<unknown>[] | null> {
  const { rows } = await sql<{ account_digest: Buffer; code: string; sealed: Buffer }>`
    select distinct on (account_digest) account_digest, transaction_code as code, sealed
    from payout_details where account_tail = ${tailKey(sealer, account)}
    order by account_digest, sealed = ''
    limit ${sql.lit(SAME_ENDING_MAX)}`.execute(database);
  const digests = rows
    .filter(
      ({ code, sealed }) => accountNumberOf(openPayout(sealer, code, sealed).details) === account,
    )
    .map(({ account_digest }) => account_digest);
  return digests.length === 0 ? null : [sql`d.account_digest = any(${digests})`];
}
