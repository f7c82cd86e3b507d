import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { Money } from "#money/money.ts";

/** A payout of a retry batch that is not finished. */
export interface OpenRetry {
  readonly payoutId: number;
  readonly batchId: string;
  readonly line: number;
}

/** The values of a row that are compared with payouts of retry batches. */
export interface ComparedRow {
  /** Key of the whole name (search-terms.ts). Null: no name. */
  readonly nameKey: string | null;
  readonly userId: string | undefined;
  readonly money: Money;
}

/** Returns the latest open retry of the same person, or null if there is none. */
export type RetryMatcher = (row: ComparedRow) => OpenRetry | null;

/** Maximum number of open retries to compare, latest first. */
const RETRIES_MAX = 10_000;

/**
 * Finds the payouts of unfinished retry batches, and returns a function that finds the one with the
 * user ID of a row, or with its name, currency and amount. Its account may differ: people correct
 * the account when they pay again. Null: there is no open retry.
 *
 * @param batchId the batch of the rows, whose own payouts are not compared.
 */
export async function findOpenRetries(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<RetryMatcher | null> {
  const { rows } = await sql<RetryRow>`
    select payout.*, detail.*
    from retry_batches
      cross join lateral (
        select id, first_id, last_id
        from batches
        where id = retry_batches.batch_id
          and finished_at is null
          and state <> 'cancelled'
        offset 0
      ) retry_batch
      cross join lateral (
        select id, batch_id, line, currency, amount_minor::text
        from payouts
        where id between retry_batch.first_id and retry_batch.last_id
          and batch_id = retry_batch.id
          and state not in ('declined', 'cancelled')
        offset 0
      ) payout
      cross join lateral (
        select name_key::text, transaction_code, sealed
        from payout_details
        where payout_id = payout.id
        offset 0
      ) detail
    where retry_batches.batch_id <> ${batchId}
    order by payout.id desc
    limit ${RETRIES_MAX}`.execute(database);
  return rows.length === 0 ? null : matcherOf(rows, sealer);
}

interface RetryRow {
  readonly id: number;
  readonly batch_id: string;
  readonly line: number;
  readonly currency: string;
  readonly amount_minor: string;
  readonly name_key: string | null;
  readonly transaction_code: string;
  readonly sealed: Buffer;
}

function matcherOf(rows: readonly RetryRow[], sealer: Sealer): RetryMatcher {
  const byPerson = new Map<string, OpenRetry>();
  // The oldest first, so that the latest replaces it.
  for (const row of rows.toReversed()) {
    const retry = { payoutId: row.id, batchId: row.batch_id, line: row.line };
    const { details } = openPayout(sealer, row.transaction_code, row.sealed);
    if (details.user_id) byPerson.set(userKey(details.user_id), retry);
    if (row.name_key !== null) {
      byPerson.set(paymentKey(row.name_key, row.currency, row.amount_minor), retry);
    }
  }
  return ({ nameKey, userId, money }) =>
    (userId && byPerson.get(userKey(userId))) ||
    (nameKey !== null && byPerson.get(paymentKey(nameKey, money.currency, `${money.minor}`))) ||
    null;
}

const userKey = (userId: string): string => `user ${userId}`;
const paymentKey = (nameKey: string, currency: string, minor: string): string =>
  `payment ${nameKey} ${currency} ${minor}`;
