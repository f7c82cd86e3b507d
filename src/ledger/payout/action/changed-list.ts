import { type RawBuilder, sql } from "kysely";
import type { CountedPayouts } from "#ledger/payout/action/actions.ts";
import { TOTALS } from "#ledger/payout/action/open-rows.ts";

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

/** The payouts that a statement decided on, and those that it changed. */
export interface ChangedPayouts {
  readonly counted: readonly CountedPayouts[];
  readonly digest: string;
  readonly batchIds: readonly string[];
}

/** The row of a statement that ends with `selectChanged`. */
export interface ChangedRow {
  counted: CountedPayouts[] | null;
  digest: string;
  batches: string[] | null;
}

/** Records for each of `locked_payouts` why it was left, or that it was changed. */
export const recordOutcomes = (id: string) => sql`
    recorded_outcomes as (
      insert into payout_action_outcomes (action_id, payout_id, outcome)
      select ${id}, locked_payouts.id, coalesce(locked_payouts.reason, 'changed')
      from locked_payouts
    )`;

/** Returns what a statement did with `locked_payouts`, of which it changed `updated_payouts`. */
export const selectChanged = (to: RawBuilder<unknown>) => sql`
    select
      (${TOTALS}) as counted,
      (select ${changedListDigest(to)}
        from updated_payouts changed join payout_details d on d.payout_id = changed.id) as digest,
      (select array_agg(distinct batch_id) from updated_payouts) as batches`;

/** Reads the only row of such a statement. */
export function changedPayouts([row]: readonly ChangedRow[]): ChangedPayouts {
  if (!row) throw new Error("the database returned no rows");
  return { counted: row.counted ?? [], digest: row.digest, batchIds: row.batches ?? [] };
}
