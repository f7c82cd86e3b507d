import { type RawBuilder, sql } from "kysely";
import { NEAR_LIMIT_PERCENT, UNUSUAL_FACTOR } from "#approval/anomalies.ts";
import {
  type StoredAnomaly,
  type AmountLimits,
  isBefore,
  limitsText,
  ROWS_SHOWN,
} from "#ledger/approval/anomalies.ts";
import type { ProblemCode } from "#intake/text/problems.ts";
import type { Database } from "#ledger/store/database.ts";
import { withLargeBatchSettings } from "#ledger/approval/large-batch-settings.ts";

/** Warnings about a row that are not a check of their own: others have one, or are not sent. */
const OTHER_WARNINGS: readonly ProblemCode[] = [
  "paid_lately",
  "being_retried",
  "row_repeated",
  "name_mixes_scripts",
  "number_not_text",
  "value_unused",
];

/** Ids of rows that other checks found. */
export interface FoundElsewhere {
  /** All these rows, which are counted with the rows found here. */
  readonly others: readonly number[];
  /** Those whose account differs by one digit from another one of the same name. */
  readonly oneDigitOff: readonly number[];
}

/** The results of the checks, and the number of rows that any check found. */
export interface FoundAnomalies {
  readonly flags: readonly StoredAnomaly[];
  readonly flaggedRows: number;
}

/**
 * Finds anomalies in the rows of a batch: the results of each check, largest amounts of each
 * currency first. It compares with the payouts that `isBefore` selects.
 */
export const findAnomalies = (
  database: Database,
  batchId: string,
  limits: AmountLimits,
  { others, oneDigitOff }: FoundElsewhere,
): Promise<FoundAnomalies> =>
  withLargeBatchSettings(database, async (transaction) => {
    const { rows } = await sql<StoredAnomaly & { flagged_rows: number }>`
    with
    ${batchRows(batchId)},
    ${warnedLines(batchId)},
    ${REPEATED_PAYMENTS},
    ${NAMESAKE_PAYMENTS},
    ${flags(batchId, limits, sql`id <> all (${[...oneDigitOff]}::bigint[])`)},
    ranked_flags as (
      select
        flags.*,
        count(*) over same_check as count,
        sum(amount_minor) over same_check as sum,
        row_number() over (partition by found, currency order by amount_minor desc, id) as rank
      from flags
      window same_check as (partition by found, currency)
    )
    select found as check, id, line, currency, minor_digits, amount_minor, against,
      other_id, other_batch, other_line, count::int, sum,
      (select count(*)::int from (
        select id from flags union select unnest(${[...others]}::bigint[])) flagged) as flagged_rows
    from ranked_flags
    where rank <= ${ROWS_SHOWN}
    order by found, rank, currency`.execute(transaction);
    return {
      flags: rows.map((row) => {
        const { flagged_rows: _counted, ...flag } = row;
        return flag;
      }),
      flaggedRows: rows[0]?.flagged_rows ?? new Set(others).size,
    };
  });

/** The lines with warnings about values that are sent. */
const warnedLines = (batchId: string) => sql`
    warned_lines as materialized (
      select distinct row_findings.line
      from batch_findings
        join row_findings using (batch_id, number)
      where batch_findings.batch_id = ${batchId}
        and batch_findings.severity = 'warning'
        and batch_findings.code <> all (${[...OTHER_WARNINGS]}::text[])
    )`;

/** Reads the rows of the batch, and the earlier payments to their accounts. */
const batchRows = (batchId: string) => sql`
    examined_batches as materialized (
      select id, first_id, last_id, created_at, approved_at
      from batches
      where id = ${batchId}
    ),
    -- Each row, with the number of rows that pay the same amount to the same account.
    counted_rows as materialized (
      select
        payout.*,
        detail.*,
        count(*) over (partition by detail.account_digest, payout.amount_minor) as equal_rows
      from examined_batches
        cross join lateral (
          select id, line, currency, minor_digits, amount_minor
          from payouts
          where id between examined_batches.first_id and examined_batches.last_id
            and batch_id = examined_batches.id
          offset 0
        ) payout
        cross join lateral (
          select account_digest, name_key, mixed_scripts
          from payout_details
          where payout_id = payout.id
          offset 0
        ) detail
    ),
    earlier_payments as materialized (
      select
        accounts.account_digest,
        payment.*,
        batches.created_at,
        batches.state as batch_state
      from (select distinct account_digest from counted_rows) accounts
        cross join lateral (
          select payout_id
          from payout_details
          where account_digest = accounts.account_digest
          offset 0
        ) detail
        cross join lateral (
          select id, batch_id, line, amount_minor, state
          from payouts
          where id = detail.payout_id
            and batch_id <> ${batchId}
          offset 0
        ) payment
        join batches on batches.id = payment.batch_id
        join examined_batches on ${isBefore(sql`payment.id`)}
    ),
    -- The median amount that each account was paid.
    usual_amounts as (
      select
        account_digest,
        percentile_disc(0.5) within group (order by amount_minor) as usual_amount
      from earlier_payments
      where state in ('settled', 'returned')
      group by account_digest
    ),
    batch_rows as materialized (
      select *
      from counted_rows
        left join usual_amounts using (account_digest)
    )`;

/**
 * Rows whose account got the same amount in the last 30 days, with the latest such payment. Only
 * the latest payments are joined, because a file may pay one account thousands of times.
 */
const REPEATED_PAYMENTS = sql`
    repeated_payments as (
      select batch_rows.*, latest.other_id, latest.other_batch, latest.other_line, latest.in_a_week
      from batch_rows
        join (
          select distinct on (earlier_payments.account_digest, earlier_payments.amount_minor)
            earlier_payments.account_digest,
            earlier_payments.amount_minor,
            earlier_payments.id as other_id,
            earlier_payments.batch_id as other_batch,
            earlier_payments.line as other_line,
            earlier_payments.created_at > examined_batches.created_at - interval '7 days' as in_a_week
          from examined_batches
            cross join earlier_payments
          where earlier_payments.state not in ('cancelled', 'declined')
            and earlier_payments.batch_state <> 'cancelled'
            and earlier_payments.created_at > examined_batches.created_at - interval '30 days'
          order by
            earlier_payments.account_digest,
            earlier_payments.amount_minor,
            earlier_payments.created_at desc,
            earlier_payments.id
        ) latest using (account_digest, amount_minor)
    )`;

/**
 * The latest payment under the same name to another account, for each account that was never paid.
 * The search goes back from the latest namesake to the first that counts.
 */
const NAMESAKE_PAYMENTS = sql`
    namesake_payments as materialized (
      select unpaid_accounts.*, latest.*
      from examined_batches
        cross join (
          select distinct name_key, account_digest, currency
          from batch_rows
          where usual_amount is null
            and name_key is not null
        ) unpaid_accounts
        cross join lateral (
          select payment.id as other_id, payment.batch_id as other_batch, payment.line as other_line
          from (
              select payout_id
              from payout_details
              where name_key = unpaid_accounts.name_key
                and account_digest <> unpaid_accounts.account_digest
              order by payout_id desc
              offset 0
            ) detail
            cross join lateral (
              select id, batch_id, line
              from payouts
              where id = detail.payout_id
                and currency = unpaid_accounts.currency
                and (batch_id = examined_batches.id or state in ('settled', 'returned') and exists (
                  select from batches where batches.id = payouts.batch_id and ${isBefore(sql`payouts.id`)}))
              offset 0
            ) payment
          order by detail.payout_id desc
          limit 1
        ) latest
    )`;

/**
 * The rows that each check finds, with the other payment or the amount that they differ from. An
 * account that was never paid is found by one check only, the strongest.
 */
const flags = (batchId: string, limits: AmountLimits, isOther: RawBuilder<unknown>) => sql`
    flags as (
      select
        case when in_a_week then 'paid_lately' else 'paid_this_month' end as found,
        id, line, currency, minor_digits, amount_minor,
        null::numeric as against,
        other_id, other_batch, other_line
      from repeated_payments
      union all
      select
        'other_account',
        id, line, currency, minor_digits, amount_minor,
        null,
        other_id, other_batch, other_line
      from batch_rows
        join namesake_payments using (name_key, account_digest, currency)
      where ${isOther}
      union all
      select
        checks.found,
        id, batch_rows.line, currency, minor_digits, amount_minor,
        checks.against,
        null, null, null
      from batch_rows
        left join namesake_payments using (name_key, account_digest, currency)
        left join json_each_text(${limitsText(limits)}::json) payout_limit
          on payout_limit.key = currency
        left join warned_lines on warned_lines.line = batch_rows.line
        cross join lateral (
          values
            ('twice_here', null::numeric, equal_rows > 1),
            ('above_usual', usual_amount, amount_minor > usual_amount * ${UNUSUAL_FACTOR}),
            (
              'never_paid',
              null,
              usual_amount is null and namesake_payments.other_id is null and ${isOther}
            ),
            (
              'near_limit',
              payout_limit.value::numeric,
              amount_minor * 100 >= payout_limit.value::numeric * ${NEAR_LIMIT_PERCENT}
            ),
            ('mixed_scripts', null, mixed_scripts),
            ('warned', null, warned_lines.line is not null),
            ('corrected', null, exists (
              select from corrections
              where corrections.batch_id = ${batchId}
                and batch_rows.id between corrections.first_id and corrections.last_id
            ))
        ) checks (found, against, is_so)
      where checks.is_so
    )`;
