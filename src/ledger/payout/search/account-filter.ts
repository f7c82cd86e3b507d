import { type RawBuilder, sql } from "kysely";
import { tailKey } from "#ledger/intake/search-terms.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { accountNumberOf, accountText } from "#payout/payout.ts";

/**
 * Maximum number of different accounts with the same ending. With a million payouts there are some
 * hundreds.
 */
const SAME_ENDING_MAX = 10_000;

/**
 * Returns the condition that an account has this number, or null if no payout can match. The digest
 * of an account also contains currency and bank, which nobody types, so the accounts with the same
 * ending are decrypted, each once. If the payouts of an account are all archived, its digest is
 * compared.
 */
export async function accountIs(
  database: Database,
  sealer: Sealer,
  account: string,
): Promise<RawBuilder<unknown>[] | null> {
  const { rows } = await sql<SameEnding>`
    select distinct on (account_digest) account_digest as digest, transaction_code as code, sealed, bank,
      (select currency from payouts where id = payout_id) as currency
    from payout_details where account_tail = ${tailKey(sealer, account)}
    order by account_digest, sealed = ''
    limit ${sql.lit(SAME_ENDING_MAX)}`.execute(database);
  const digests = rows
    .filter((row) =>
      row.sealed.length === 0
        ? isArchivedAccount(sealer, row, account)
        : accountNumberOf(openPayout(sealer, row.code, row.sealed).details) === account,
    )
    .map(({ digest }) => digest);
  return digests.length === 0 ? null : [sql`d.account_digest = any(${digests})`];
}

interface SameEnding {
  readonly digest: Buffer;
  readonly code: string;
  /** Empty if the details of all its payouts are in archive files. */
  readonly sealed: Buffer;
  readonly bank: string | null;
  readonly currency: string;
}

/** The fields that can contain the number of an account. */
const NUMBER_FIELDS = ["bank_account_number", "address", "phone_number"] as const;

/** Returns whether the digest of an archived account is that of this number. */
const isArchivedAccount = (
  sealer: Sealer,
  { digest, bank, currency }: SameEnding,
  account: string,
): boolean =>
  NUMBER_FIELDS.flatMap((field) => [
    { [field]: account },
    ...(bank === null ? [] : [{ [field]: account, bank_code: bank }]),
  ]).some((details) => sealer.digest(accountText(currency, details)).equals(digest));
