import { sql } from "kysely";
import type { StoredAnomaly } from "#ledger/approval/anomalies.ts";
import { findOpenRetries } from "#ledger/intake/retries/open-retries.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";

/** A row that a check has found, without the totals of the check. */
export type RowFlag = Omit<StoredAnomaly, "count" | "sum">;

/** Number of rows decrypted before other work gets a turn. */
const OPENED_AT_ONCE = 500;

/**
 * Finds the rows of a batch whose person an unfinished retry batch also pays, largest amounts
 * first: under the same user ID, or under the same name with the same amount. Retry batches that
 * were created after the batch count as well. All rows are decrypted, but only if there is a retry
 * batch.
 */
export async function findRetriedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
): Promise<readonly RowFlag[]> {
  const openRetryOf = await findOpenRetries(transaction, sealer, batchId);
  if (openRetryOf === null) return [];
  const found: RowFlag[] = [];
  let after = 0;
  while (true) {
    const rows = await rowsAfter(transaction, batchId, after);
    for (const { id, line, currency, minor_digits, amount_minor, ...detail } of rows) {
      const { details } = openPayout(sealer, detail.transaction_code, detail.sealed);
      const money = moneyOf({ currency, minor_digits, amount_minor });
      const retry = openRetryOf({ nameKey: detail.name_key, userId: details.user_id, money });
      if (!retry) continue;
      found.push({
        check: "being_retried",
        id,
        line,
        currency,
        minor_digits,
        amount_minor,
        against: null,
        other_id: retry.payoutId,
        other_batch: retry.batchId,
        other_line: retry.line,
      });
    }
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < OPENED_AT_ONCE) break;
  }
  return found.toSorted((one, other) =>
    BigInt(one.amount_minor) > BigInt(other.amount_minor) ? -1 : 1,
  );
}

interface BatchRow {
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly name_key: string | null;
  readonly transaction_code: string;
  readonly sealed: Buffer;
}

async function rowsAfter(
  transaction: Database,
  batchId: string,
  after: number,
): Promise<readonly BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select payout.*, detail.*
    from batches
      cross join lateral (
        select id, line, currency, minor_digits, amount_minor::text
        from payouts
        where id between greatest(batches.first_id, ${after} + 1) and batches.last_id
          and batch_id = batches.id
        order by id
        limit ${OPENED_AT_ONCE}
      ) payout
      cross join lateral (
        select name_key::text, transaction_code, sealed
        from payout_details
        where payout_id = payout.id
        offset 0
      ) detail
    where batches.id = ${batchId}
    order by payout.id`.execute(transaction);
  return rows;
}
