import { sql } from "kysely";
import {
  BATCHES_BEFORE,
  NEAR_LIMIT_PERCENT,
  ROW_CHECKS,
  type RowCheck,
  USUAL_TIMES,
} from "#batch/unusual.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { openPayout } from "#ledger/sealed-rows.ts";
import { moneyOf } from "#ledger/tables.ts";
import type { Money } from "#money/money.ts";
import { hasMixedScripts } from "#payout/names.ts";

export interface UnusualRow {
  readonly line: number;
  readonly transactionCode: string;
  readonly name: string;
  readonly money: Money;
  /** What it is compared with: what the account usually gets, the limit, the payment before. */
  readonly against: Money | null;
  /** Where the other payment stands. */
  readonly elsewhere: { readonly batchId: string; readonly line: number } | null;
}

export interface RowFinding {
  readonly check: RowCheck;
  readonly count: number;
  /** Per currency. */
  readonly sums: readonly Money[];
  /** The largest of them. */
  readonly rows: readonly UnusualRow[];
}

/** What a batch comes to in a currency, and what the batches before it came to, the last first. */
export interface TotalBefore {
  readonly total: Money;
  readonly before: readonly bigint[];
}

const ROWS_SHOWN = 50;

interface Flagged {
  readonly check: RowCheck;
  readonly line: number;
  readonly transaction_code: string;
  readonly sealed: Buffer;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly against: string | null;
  readonly other_batch: string | null;
  readonly other_line: number | null;
  /** Of all that the check found in this currency. */
  readonly count: number;
  readonly sum: string;
}

/**
 * What is out of the ordinary in the rows of a batch, in the order in which the checks are named. It compares with what
 * came in before the batch alone, so that it says the same whenever it is asked.
 *
 * @param limits minor units of the largest payout allowed, per currency.
 */
export async function unusualRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  limits: ReadonlyMap<string, bigint>,
): Promise<RowFinding[]> {
  const mixed = await mixedScripts(database, sealer, batchId);
  const flagged = await flaggedRows(database, batchId, { limits, mixed });
  const found = Map.groupBy(flagged, ({ check }) => check);
  const checks = Object.keys(ROW_CHECKS) as RowCheck[];
  return checks.flatMap((check) => {
    const rows = found.get(check);
    return rows ? [findingOf(check, rows, sealer)] : [];
  });
}

function findingOf(check: RowCheck, rows: readonly Flagged[], sealer: Sealer): RowFinding {
  const currencies = [...new Map(rows.map((row) => [row.currency, row])).values()];
  return {
    check,
    count: currencies.reduce((sum, { count }) => sum + count, 0),
    sums: currencies.map((row) => moneyOf({ ...row, amount_minor: row.sum })),
    rows: rows.slice(0, ROWS_SHOWN).map((row) => ({
      line: row.line,
      transactionCode: row.transaction_code,
      name: openPayout(sealer, row.transaction_code, row.sealed).details.account_name ?? "",
      money: moneyOf(row),
      against: row.against === null ? null : moneyOf({ ...row, amount_minor: row.against }),
      elsewhere:
        row.other_batch === null || row.other_line === null
          ? null
          : { batchId: row.other_batch, line: row.other_line },
    })),
  };
}

/** One statement over all rows of the batch: what each check finds, the largest amounts of each currency first. */
async function flaggedRows(
  database: Database,
  batchId: string,
  { limits, mixed }: { limits: ReadonlyMap<string, bigint>; mixed: readonly number[] },
): Promise<Flagged[]> {
  const limitTexts = Object.fromEntries(
    [...limits].map(([currency, minor]) => [currency, `${minor}`]),
  );
  const { rows } = await sql<Flagged>`
    with batch as (
      select id, first_id, last_id, created_at from batches where id = ${batchId}
    ), mine as materialized (
      select p.id, p.line, p.currency, p.minor_digits, p.amount_minor, d.account_digest,
        count(*) over (partition by d.account_digest, p.amount_minor) as here
      from batch b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
      join payout_details d on d.payout_id = p.id
    ), before as materialized (
      select d.account_digest, p.amount_minor, p.state, p.batch_id, p.line, b.created_at, b.state as batch_state
      from (select distinct account_digest from mine) m
      join payout_details d on d.account_digest = m.account_digest
      join payouts p on p.id = d.payout_id and p.id < (select first_id from batch)
      join batches b on b.id = p.batch_id
    ), usual as materialized (
      select account_digest, percentile_disc(0.5) within group (order by amount_minor) as amount
      from before where state in ('settled', 'returned') group by 1
    ), lately as materialized (
      select distinct on (m.id) m.id, o.batch_id, o.line,
        o.created_at > (select created_at from batch) - interval '7 days' as in_a_week
      from mine m join before o on o.account_digest = m.account_digest and o.amount_minor = m.amount_minor
      where o.state not in ('cancelled', 'declined') and o.batch_state <> 'cancelled'
        and o.created_at > (select created_at from batch) - interval '30 days'
      order by m.id, o.created_at desc
    ), flags as (
      select case when l.in_a_week then 'paid_lately' else 'paid_this_month' end as check, id,
        null::numeric as against, l.batch_id as other_batch, l.line as other_line from lately l
      union all select 'twice_here', id, null, null, null from mine where here > 1
      union all select 'above_usual', m.id, u.amount, null, null
        from mine m join usual u using (account_digest) where m.amount_minor > u.amount * ${USUAL_TIMES}
      union all select 'never_paid', m.id, null, null, null
        from mine m left join usual u using (account_digest) where u.account_digest is null
      union all select 'corrected', m.id, null, null, null
        from mine m join corrections c on c.batch_id = ${batchId} and m.id between c.first_id and c.last_id
      union all select 'near_limit', m.id, l.value::numeric, null, null
        from mine m join json_each_text(${JSON.stringify(limitTexts)}::json) l on l.key = m.currency
        where m.amount_minor * 100 >= l.value::numeric * ${NEAR_LIMIT_PERCENT}
      union all select 'mixed_scripts', id, null, null, null
        from unnest(${[...mixed]}::bigint[]) as id
    ), ranked as (
      select f.*, m.line, m.currency, m.minor_digits, m.amount_minor,
        count(*) over found as count, sum(m.amount_minor) over found as sum,
        row_number() over (partition by f.check, m.currency order by m.amount_minor desc, m.id) as rank
      from flags f join mine m on m.id = f.id
      window found as (partition by f.check, m.currency)
    )
    select r.check, r.line, r.currency, r.minor_digits, r.amount_minor, r.against, r.other_batch, r.other_line,
      r.count::int, r.sum, d.transaction_code, d.sealed
    from ranked r join payout_details d on d.payout_id = r.id
    where r.rank <= ${ROWS_SHOWN} order by r.check, r.rank, r.currency`.execute(database);
  return rows;
}

const PAGE = 2_000;

/** Names are sealed, so that only reading every one of them tells. */
async function mixedScripts(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<number[]> {
  const range = await database
    .selectFrom("batches")
    .select(["first_id", "last_id"])
    .where("id", "=", batchId)
    .executeTakeFirstOrThrow();
  const mixed: number[] = [];
  // By windows of ids: a limit over an order makes the planner sort the rest of the batch for every page.
  for (let from = range.first_id; from <= range.last_id; from += PAGE) {
    const to = Math.min(from + PAGE - 1, range.last_id);
    const { rows } = await sql<{ id: number; code: string; sealed: Buffer }>`
      select p.id, d.transaction_code as code, d.sealed
      from payouts p join payout_details d on d.payout_id = p.id
      where p.id between ${from} and ${to} and p.batch_id = ${batchId}`.execute(database);
    for (const { id, code, sealed } of rows) {
      if (hasMixedScripts(openPayout(sealer, code, sealed).details.account_name ?? "")) {
        mixed.push(id);
      }
    }
  }
  return mixed;
}

/** What the batch comes to in each currency, beside the batches of that currency that were approved before it. */
export async function totalsBefore(database: Database, batchId: string): Promise<TotalBefore[]> {
  const { rows } = await sql<{
    currency: string;
    minor_digits: number;
    amount_minor: string;
    before: string[];
  }>`
    with mine as (
      select l.currency, l.minor_digits, sum(l.total_minor) as amount_minor, b.created_at
      from batches b join batch_lanes l on l.batch_id = b.id where b.id = ${batchId}
      group by l.currency, l.minor_digits, b.created_at
    )
    select m.currency, m.minor_digits, m.amount_minor, array(
      select sum(l.total_minor)::text from batches b join batch_lanes l on l.batch_id = b.id
      where l.currency = m.currency and b.created_at < m.created_at and b.approved_at is not null
      group by b.id order by b.created_at desc limit ${BATCHES_BEFORE}
    ) as before
    from mine m order by m.currency`.execute(database);
  return rows.map((row) => ({ total: moneyOf(row), before: row.before.map(BigInt) }));
}
