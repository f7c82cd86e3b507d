import { sql } from "kysely";
import type { StoredAnomaly } from "#ledger/approval/anomalies.ts";
import { findRetriedTimes, searchApprovedBatches } from "#ledger/intake/retries/later-batches.ts";
import { searchOpenRetries } from "#ledger/intake/retries/open-retries.ts";
import type { ComparedRow, SamePerson } from "#ledger/intake/retries/person-search.ts";
import { userKeyOf } from "#ledger/intake/retries/user-key.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";

/** A row that a check has found, without the totals of the check. */
export type RowFlag = Omit<StoredAnomaly, "count" | "sum">;

/** Number of rows compared at once, before other work gets a turn. */
const COMPARED_AT_ONCE = 500;

/**
 * Finds the rows of a batch whose person an unfinished retry batch also pays, largest amounts
 * first: under the same user ID, or under the same name with the same amount. Retry batches that
 * were created after the batch count as well.
 *
 * For a retry batch, it also finds the rows whose person an approved batch pays that was created
 * after the payout was declined or returned: its approver saw no retry batch.
 */
export async function findRetriedRows(
  transaction: Database,
  sealer: Sealer,
  batchId: string,
): Promise<readonly RowFlag[]> {
  const retries = await searchOpenRetries(transaction, sealer, batchId);
  const approved = await searchApprovedBatches(transaction, sealer, batchId);
  if (retries === null && approved === null) return [];
  const flags: RowFlag[] = [];
  let after = 0;
  while (true) {
    const rows = await rowsAfter(transaction, batchId, after);
    const compared = rows.map((row) => comparedRow(row, sealer));
    if (retries) flags.push(...flagsOf("being_retried", rows, await retries(compared)));
    if (approved) {
      const times = await findRetriedTimes(
        transaction,
        rows.map(({ id }) => id),
      );
      const later = compared.map((row, at) => ({ ...row, since: times.get(rows[at]?.id ?? 0) }));
      flags.push(...flagsOf("in_approved_batch", rows, await approved(later)));
    }
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < COMPARED_AT_ONCE) break;
  }
  return flags.toSorted((one, other) =>
    BigInt(one.amount_minor) > BigInt(other.amount_minor) ? -1 : 1,
  );
}

/** Decrypts the row only if it was stored without the key of its user ID. */
function comparedRow(row: BatchRow, sealer: Sealer): ComparedRow {
  const { currency, minor_digits, amount_minor, name_key: nameKey } = row;
  const userKey =
    row.user_key ?? userKeyOf(sealer, openPayout(sealer, row.transaction_code, row.sealed).details);
  return { userKey, nameKey, money: moneyOf({ currency, minor_digits, amount_minor }) };
}

const flagsOf = (
  check: "being_retried" | "in_approved_batch",
  rows: readonly BatchRow[],
  found: ReadonlyMap<number, SamePerson>,
): RowFlag[] =>
  rows.flatMap(({ id, line, currency, minor_digits, amount_minor }, at) => {
    const other = found.get(at);
    if (!other) return [];
    const { payoutId: other_id, batchId: other_batch, line: other_line } = other;
    const row = { id, line, currency, minor_digits, amount_minor, against: null };
    return [{ check, ...row, other_id, other_batch, other_line }];
  });

interface BatchRow {
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly name_key: string | null;
  readonly user_key: string | null;
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
        limit ${COMPARED_AT_ONCE}
      ) payout
      cross join lateral (
        select name_key::text, user_key::text, transaction_code, sealed
        from payout_details
        where payout_id = payout.id
        offset 0
      ) detail
    where batches.id = ${batchId}
    order by payout.id`.execute(transaction);
  return rows;
}
