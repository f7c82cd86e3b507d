import { type RawBuilder, sql } from "kysely";

/**
 * Returns the SHA-256 of the list of changed payouts: one line for each payout of `changed` with
 * details `d`, in the byte order of the codes. A line has the code, the currency, the amount in
 * minor units, and the states before and after.
 */
export const changedListDigest = (to: RawBuilder<unknown>): RawBuilder<string> => sql`
      encode(sha256(convert_to(coalesce(string_agg(
        d.transaction_code || ' ' || changed.currency || ' ' || changed.amount_minor || ' '
          || changed.from_state || ' ' || ${to},
        E'\n' order by d.transaction_code collate "C"), ''), 'UTF8')), 'hex')`;
