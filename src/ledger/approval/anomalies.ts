import { sql } from "kysely";
import { oneOff } from "#approval/possible-duplicates.ts";
import {
  BATCHES_BEFORE,
  NEAR_LIMIT_PERCENT,
  ROW_CHECKS,
  type RowCheck,
  USUAL_TIMES,
} from "#approval/anomalies.ts";
import { beneficiariesOf, type Beneficiary, lastFourOf } from "#ledger/approval/beneficiaries.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

export interface UnusualRow {
  readonly line: number;
  readonly transactionCode: string;
  readonly name: string;
  /** Last digits of the account. */
  readonly accountLast4: string | null;
  readonly money: Money;
  /** Reference value: the usual amount of the account, the limit, or the previous payment. */
  readonly against: Money | null;
  /** The payout code or callback address of the row itself, if the check found it. */
  readonly own: string | null;
  /** Location of the other payment, its beneficiary, and the last digits of its account. */
  readonly elsewhere: {
    readonly batchId: string;
    readonly line: number;
    readonly name: string;
    readonly accountLast4: string | null;
    /** Position at which the two accounts differ, if there is only one. */
    readonly oneOffAt: number | null;
  } | null;
}

export interface RowFinding {
  readonly check: RowCheck;
  readonly count: number;
  /** Per currency. */
  readonly sums: readonly Money[];
  /** The largest rows. */
  readonly rows: readonly UnusualRow[];
}

/** Total of a batch in a currency, and the totals of the batches before it, latest first. */
export interface TotalBefore {
  readonly total: Money;
  readonly before: readonly bigint[];
}

/** Maximum number of rows shown per check. */
export const ROWS_SHOWN = 50;

/** A row that a check has found, as it is stored: without name or account. */
export interface Flag {
  readonly check: RowCheck;
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly against: string | null;
  readonly other_id: number | null;
  readonly other_batch: string | null;
  readonly other_line: number | null;
  /** Number of all rows that the check found in this currency. */
  readonly count: number;
  readonly sum: string;
}

/** Maximum amount of a payout per currency, in minor units. */
export type Limits = ReadonlyMap<string, bigint>;

/** Returns payout limits as a JSON object of minor units, for comparison and storage. */
export const limitsText = (limits: Limits): string =>
  JSON.stringify(Object.fromEntries([...limits].map(([name, minor]) => [name, `${minor}`])));

/**
 * Returns the findings of the flags, in the order of the checks, with the names of the
 * beneficiaries shown.
 */
export async function rowFindingsOf(
  database: Database,
  sealer: Sealer,
  flags: readonly Flag[],
): Promise<RowFinding[]> {
  const ids = flags.flatMap(({ id, other_id }) => [id, other_id]);
  const people = await beneficiariesOf(database, sealer, ids);
  const found = Map.groupBy(flags, ({ check }) => check);
  return (Object.keys(ROW_CHECKS) as RowCheck[]).flatMap((check) => {
    const some = found.get(check);
    if (!some) return [];
    const currencies = [...new Map(some.map((flag) => [flag.currency, flag])).values()];
    return [
      {
        check,
        count: currencies.reduce((sum, { count }) => sum + count, 0),
        sums: currencies.map((flag) => moneyOf({ ...flag, amount_minor: flag.sum })),
        rows: some.slice(0, ROWS_SHOWN).map((flag) => shown(flag, people)),
      },
    ];
  });
}

function shown(flag: Flag, people: ReadonlyMap<number, Beneficiary>): UnusualRow {
  const { check, id, line, against, other_id, other_batch, other_line } = flag;
  const person = people.get(id);
  const other = other_id === null ? undefined : people.get(other_id);
  return {
    line,
    transactionCode: person?.code ?? "",
    name: person?.name ?? "",
    accountLast4: lastFourOf(person),
    money: moneyOf(flag),
    against: against === null ? null : moneyOf({ ...flag, amount_minor: against }),
    own: ownOf(check, person),
    elsewhere:
      other_batch === null || other_line === null
        ? null
        : {
            batchId: other_batch,
            line: other_line,
            name: other?.name ?? "",
            accountLast4: lastFourOf(other),
            oneOffAt: oneOff(person?.account ?? "", other?.account ?? ""),
          },
  };
}

const ownOf = (check: RowCheck, row: Beneficiary | undefined): string | null => {
  if (check === "own_callback") return row?.callbackUrl ?? null;
  return check === "own_payout_code" ? (row?.payoutCode ?? null) : null;
};

/**
 * Planner settings for large batches: sorts and joins run in memory, with a timeout of minutes. The
 * statistics do not cover a batch that was just uploaded, and a planner that trusts them compares
 * each row with every other. Lookups by an index are therefore lateral steps ("offset 0" keeps them
 * so), and everything else is hashed.
 */
const SETTINGS = [
  "work_mem = '64MB'",
  "statement_timeout = '10min'",
  "jit = off",
  "enable_nestloop = off",
  "enable_mergejoin = off",
  "enable_seqscan = off",
  "enable_bitmapscan = off",
];

/** Runs an examination of the rows of a batch with these settings. */
export const lookingThrough = <T>(
  database: Database,
  look: (transaction: Database) => Promise<T>,
): Promise<T> =>
  database.transaction().execute(async (transaction) => {
    for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(transaction);
    return look(transaction);
  });

/**
 * Finds anomalies in the rows of a batch: the results of each check, largest amounts of each
 * currency first. It compares only with payouts from before the batch, so the result does not
 * depend on the time of the call.
 */
export async function flaggedRows(
  database: Database,
  batchId: string,
  limits: Limits,
): Promise<Flag[]> {
  return lookingThrough(database, async (transaction) => {
    const { rows } = await sql<Flag>`
    with batch as materialized (
      select id, first_id, last_id, created_at from batches where id = ${batchId}
    ), raw as materialized (
      select p.*, d.*, count(*) over (partition by d.account_digest, p.amount_minor) as here
      from batch b cross join lateral (
        select id, line, currency, minor_digits, amount_minor from payouts
        where id between b.first_id and b.last_id and batch_id = b.id offset 0
      ) p cross join lateral (
        select account_digest, name_key, mixed_scripts from payout_details where payout_id = p.id offset 0
      ) d
    ), before as materialized (
      select m.account_digest, p.*, b.created_at, b.state as batch_state
      from (select distinct account_digest from raw) m cross join lateral (
        select payout_id from payout_details where account_digest = m.account_digest offset 0
      ) d cross join lateral (
        select id, batch_id, line, amount_minor, state from payouts
        where id = d.payout_id and id < (select first_id from batch) offset 0
      ) p join batches b on b.id = p.batch_id
    ), usual as (
      select account_digest, percentile_disc(0.5) within group (order by amount_minor) as usual
      from before where state in ('settled', 'returned') group by 1
    ), mine as materialized (
      select * from raw left join usual using (account_digest)
    ), lately as (
      -- The last one first, and then beside the rows: an account that a file pays thousands of times is joined once a row.
      select m.*, o.other_id, o.other_batch, o.other_line, o.in_a_week from mine m join (
        select distinct on (o.account_digest, o.amount_minor) o.account_digest, o.amount_minor, o.id as other_id,
          o.batch_id as other_batch, o.line as other_line, o.created_at > b.created_at - interval '7 days' as in_a_week
        from batch b cross join before o
        where o.state not in ('cancelled', 'declined') and o.batch_state <> 'cancelled'
          and o.created_at > b.created_at - interval '30 days'
        order by o.account_digest, o.amount_minor, o.created_at desc, o.id
      ) o using (account_digest, amount_minor)
    ), namesakes as materialized (
      select n.*, o.* from batch b cross join (
        select distinct name_key, account_digest, currency from mine where usual is null and name_key is not null
      ) n cross join lateral (
        -- From the last namesake back, and no further than to the first that counts.
        select p.id as other_id, p.batch_id as other_batch, p.line as other_line from (
          select payout_id from payout_details
          where name_key = n.name_key and payout_id <= b.last_id and account_digest <> n.account_digest
          order by payout_id desc offset 0
        ) d cross join lateral (
          select id, batch_id, line from payouts where id = d.payout_id and currency = n.currency
            and (batch_id = b.id or id < b.first_id and state in ('settled', 'returned')) offset 0
        ) p order by d.payout_id desc limit 1
      ) o
    ), flags as (
      select case when in_a_week then 'paid_lately' else 'paid_this_month' end as found, id, line, currency,
        minor_digits, amount_minor, null::numeric as against, other_id, other_batch, other_line
      from lately
      union all select 'other_account', m.id, line, currency, minor_digits, amount_minor, null,
        other_id, other_batch, other_line
      from mine m join namesakes n using (name_key, account_digest, currency)
      union all select f.found, m.id, line, currency, minor_digits, amount_minor, f.against, null, null, null
      from mine m left join json_each_text(${limitsText(limits)}::json) l on l.key = m.currency cross join lateral (
        values ('twice_here', null::numeric, here > 1),
          ('above_usual', usual, amount_minor > usual * ${USUAL_TIMES}),
          ('never_paid', null, usual is null),
          ('near_limit', l.value::numeric, amount_minor * 100 >= l.value::numeric * ${NEAR_LIMIT_PERCENT}),
          ('mixed_scripts', null, mixed_scripts),
          ('corrected', null, exists (
            select from corrections c where c.batch_id = ${batchId} and m.id between c.first_id and c.last_id))
      ) f (found, against, is_so) where f.is_so
    ), ranked as (
      select f.*, count(*) over same as count, sum(amount_minor) over same as sum,
        row_number() over (partition by f.found, currency order by amount_minor desc, id) as rank
      from flags f window same as (partition by f.found, currency)
    )
    select found as check, id, line, currency, minor_digits, amount_minor, against, other_id, other_batch, other_line,
      count::int, sum
    from ranked f where rank <= ${ROWS_SHOWN} order by found, rank, currency`.execute(transaction);
    return rows;
  });
}

/**
 * Returns the total of the batch in each currency, with the batches of that currency approved
 * before it.
 */
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
