import { sql } from "kysely";
import type { RowCheck } from "#approval/anomalies.ts";
import { NAME_DAYS, OVERLAP } from "#approval/possible-duplicates.ts";
import { isBefore } from "#ledger/approval/anomalies.ts";
import type { Database } from "#ledger/store/database.ts";

export type PossibleDuplicateCheck = Extract<RowCheck, "one_digit_off" | "other_name">;

/** Maximum number of rows that one check decrypts and compares, largest amounts first. */
export const ROWS_MAX = 2_000;
/** Maximum number of other payouts compared with each of these rows, latest first. */
export const OTHERS_MAX = 5;
/** Maximum number of payouts under one name that are searched for accounts, latest first. */
const PAYMENTS_MAX = 100;

/**
 * A row and a payment to the same account or under the same name. Only the decrypted texts show
 * whether they are possible duplicates.
 */
export interface Candidate {
  readonly found: PossibleDuplicateCheck;
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly other_id: number;
  readonly other_batch: string;
  readonly other_line: number;
  /** Rank of the row among rows with candidates, and rank of the candidate within its row. */
  readonly place: number;
  readonly nth: number;
  /** True if there may be more payments under the name, further back. */
  readonly far: boolean;
}

/** Payments that a batch shares with another one, in one currency. */
export interface Share {
  readonly id: string;
  readonly rows: number;
  /** Number of rows of the whole batch. */
  readonly of: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
}

interface Candidates {
  /** Newest batch first. */
  readonly shares: readonly Share[];
  /** Largest rows of each currency first, and for each row the latest payments first. */
  readonly candidates: readonly Candidate[];
}

/**
 * Returns the payments that a batch shares with earlier batches, and the payments with which its
 * rows are compared. One statement, because finding earlier payments to the accounts of a batch
 * takes longer than comparing them.
 */
export async function candidatesIn(transaction: Database, batchId: string): Promise<Candidates> {
  const { rows } = await sql<Candidates>`
    with
    ${batchRows(batchId)},
    ${SHARED_PAYMENTS},
    ${NAMED_ACCOUNTS},
    ${NAMESAKE_ACCOUNTS},
    ${CANDIDATES}
    select
      coalesce(
        (select json_agg(shares order by shares.id desc, shares.currency) from shares),
        '[]'
      ) as shares,
      coalesce(
        (select json_agg(candidates order by candidates.found, candidates.place, candidates.nth) from candidates),
        '[]'
      ) as candidates`.execute(transaction);
  return rows[0] ?? { shares: [], candidates: [] };
}

/** Reads the rows of the batch, and the earlier payments to their accounts. */
const batchRows = (batchId: string) => sql`
    examined_batches as materialized (
      select id, first_id, last_id, created_at, approved_at
      from batches
      where id = ${batchId}
    ),
    batch_rows as materialized (
      select payout.*, detail.*
      from examined_batches
        cross join lateral (
          select id, line, currency, minor_digits, amount_minor
          from payouts
          where id between examined_batches.first_id and examined_batches.last_id
            and batch_id = examined_batches.id
          offset 0
        ) payout
        cross join lateral (
          select account_digest, name_key
          from payout_details
          where payout_id = payout.id
          offset 0
        ) detail
    ),
    earlier_payments as materialized (
      select
        accounts.account_digest,
        detail.name_key,
        payment.*,
        batches.created_at > examined_batches.created_at - ${OVERLAP.days} * interval '1 day' as may_overlap,
        batches.created_at > examined_batches.created_at - ${NAME_DAYS} * interval '1 day' as may_name
      from examined_batches
        cross join (select distinct account_digest from batch_rows) accounts
        cross join lateral (
          select payout_id, name_key
          from payout_details
          where account_digest = accounts.account_digest
          offset 0
        ) detail
        cross join lateral (
          select id as other_id, batch_id as other_batch, line as other_line, amount_minor, state
          from payouts
          where id = detail.payout_id
            and batch_id <> examined_batches.id
            and state not in ('cancelled', 'declined')
          offset 0
        ) payment
        join batches on batches.id = payment.other_batch
          and batches.state <> 'cancelled'
          and ${isBefore(sql`payment.other_id`)}
    )`;

/** The payments that the batch shares with each earlier batch, per currency. */
const SHARED_PAYMENTS = sql`
    shares as (
      select
        other_batch as id,
        currency,
        minor_digits,
        count(*) as rows,
        sum(amount_minor)::text as amount_minor,
        (select count(*) from batch_rows) as of
      from batch_rows
        join (
          select distinct account_digest, amount_minor, other_batch
          from earlier_payments
          where may_overlap
        ) shared_payments using (account_digest, amount_minor)
      group by 1, 2, 3
    )`;

/** The names under which each account was paid, the latest first. */
const NAMED_ACCOUNTS = sql`
    named_accounts as materialized (
      select
        account_digest,
        name_key,
        max(other_id) as other_id,
        row_number() over (partition by account_digest order by max(other_id) desc) as nth
      from earlier_payments
      where state <> 'awaiting_approval'
        and may_name
        and name_key is not null
      group by 1, 2
    )`;

/**
 * The accounts that were paid under the names of the batch, the latest first. Only rows whose
 * account was never paid are compared with them.
 */
const NAMESAKE_ACCOUNTS = sql`
    paid_accounts as materialized (
      select distinct account_digest
      from earlier_payments
      where state in ('settled', 'returned')
    ),
    rows_with_unpaid_account as materialized (
      select batch_rows.*
      from batch_rows
      where batch_rows.name_key is not null
        and not exists (
          select from paid_accounts
          where account_digest = batch_rows.account_digest
        )
    ),
    namesake_accounts as materialized (
      select
        names.*,
        paid.account_digest,
        max(paid.payout_id) as other_id,
        bool_or(paid.far) as far,
        row_number() over (
          partition by names.name_key, names.currency
          order by max(paid.payout_id) desc
        ) as nth
      from (select distinct name_key, currency from rows_with_unpaid_account) names
        cross join examined_batches
        cross join lateral (
          select detail.*
          from (
              select payout_id, account_digest, count(*) over () = ${PAYMENTS_MAX} as far
              from (
                select payout_id, account_digest
                from payout_details
                where name_key = names.name_key
                  and (
                    payout_id < examined_batches.first_id
                    or (select batch_id from payouts where id = payout_id) <> examined_batches.id
                  )
                order by payout_id desc
                limit ${PAYMENTS_MAX}
              ) latest
              offset 0
            ) detail
            cross join lateral (
              select 1
              from payouts
              where id = detail.payout_id
                and currency = names.currency
                and state in ('settled', 'returned')
                and exists (
                  select from batches where batches.id = payouts.batch_id and ${isBefore(sql`payouts.id`)})
              offset 0
            ) payment
        ) paid
      group by names.name_key, names.currency, paid.account_digest
    )`;

/** The pairs of a row and an earlier payment that are compared, with their ranks. */
const CANDIDATES = sql`
    pairs as (
      select 'other_name' as found, batch_rows.*, named_accounts.other_id, named_accounts.nth, false as far
      from batch_rows
        join named_accounts using (account_digest)
      where named_accounts.nth <= ${OTHERS_MAX + 1}
        and batch_rows.name_key is not null
        and not exists (
          select from named_accounts known
          where known.account_digest = batch_rows.account_digest
            and known.name_key = batch_rows.name_key
        )
      union all
      select 'one_digit_off', unpaid.*, namesake_accounts.other_id, namesake_accounts.nth, namesake_accounts.far
      from rows_with_unpaid_account unpaid
        join namesake_accounts
          on namesake_accounts.name_key = unpaid.name_key
          and namesake_accounts.currency = unpaid.currency
      where namesake_accounts.nth <= ${OTHERS_MAX + 1}
    ),
    sized_pairs as (
      select *, dense_rank() over (partition by found, currency order by amount_minor desc, id) as size
      from pairs
    ),
    placed_pairs as (
      select *, dense_rank() over (partition by found order by size, currency) as place
      from sized_pairs
    ),
    candidates as (
      select
        placed_pairs.found,
        placed_pairs.id,
        placed_pairs.line,
        placed_pairs.currency,
        placed_pairs.minor_digits,
        placed_pairs.amount_minor::text,
        placed_pairs.other_id,
        other.batch_id as other_batch,
        other.line as other_line,
        placed_pairs.place,
        placed_pairs.nth,
        placed_pairs.far
      from placed_pairs
        cross join lateral (
          select batch_id, line
          from payouts
          where id = placed_pairs.other_id
          offset 0
        ) other
      where place <= ${ROWS_MAX + 1}
    )`;
