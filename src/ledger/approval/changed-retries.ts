import { sql } from "kysely";
import type { RowFlag } from "#ledger/approval/retried-rows.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type PayoutDetails, BENEFICIARY_FIELDS } from "#payout/payout.ts";

/**
 * Finds the rows of a retry batch whose values were changed since their payout was declined or
 * returned, largest amounts first. A batch that retries nothing has none.
 */
export async function findChangedRetries(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
): Promise<readonly RowFlag[]> {
  const { rows } = await sql<ChangedRow>`
    select payout.*, detail.transaction_code as code, detail.sealed,
      retried_detail.transaction_code as before_code, retried_detail.sealed as before_sealed
    from retry_batches
      join batches on batches.id = retry_batches.batch_id
      cross join lateral (
        select payout_id, parent_id
        from descendants
        where payout_id between batches.first_id and batches.last_id
          and edited
        offset 0
      ) retry
      cross join lateral (
        select id, line, currency, minor_digits, amount_minor::text
        from payouts
        where id = retry.payout_id
          and batch_id = batches.id
        offset 0
      ) payout
      cross join lateral (
        select transaction_code, sealed
        from payout_details
        where payout_id = payout.id
        offset 0
      ) detail
      cross join lateral (
        select transaction_code, sealed
        from payout_details
        where payout_id = retry.parent_id
        offset 0
      ) retried_detail
    where retry_batches.batch_id = ${batchId}`.execute(transaction);
  return rows
    .map(({ code, sealed, before_code, before_sealed, ...row }): RowFlag => {
      const after = openPayout(sealer, code, sealed).details;
      const before = openPayout(sealer, before_code, before_sealed).details;
      const check = isSameBeneficiary(before, after) ? "new_details" : "new_bank_details";
      const none = { against: null, other_id: null, other_batch: null, other_line: null };
      return { check, ...row, ...none };
    })
    .toSorted((one, other) => (BigInt(one.amount_minor) > BigInt(other.amount_minor) ? -1 : 1));
}

const isSameBeneficiary = (before: PayoutDetails, after: PayoutDetails): boolean =>
  BENEFICIARY_FIELDS.every((field) => (before[field] ?? "") === (after[field] ?? ""));

interface ChangedRow {
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly code: string;
  readonly sealed: Buffer;
  readonly before_code: string;
  readonly before_sealed: Buffer;
}
