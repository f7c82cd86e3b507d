import { type RawBuilder, sql } from "kysely";
import { DIFF_PARTS, type DiffPart, UNUSUAL_TIMES } from "#approval/comparison.ts";
import { rowsOf } from "#ledger/intake/batch-span.ts";
import { beneficiariesOf, type Beneficiary, lastFourOf } from "#ledger/approval/beneficiaries.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

export interface DiffRow {
  readonly code: string;
  readonly line: number;
  readonly name: string;
  readonly accountLast4: string | null;
  /** Sum of all payouts to the account. For a missing account, the payouts of the other batch. */
  readonly money: Money;
  readonly before: { readonly money: Money; readonly accountLast4: string | null } | null;
}

export interface DiffShare {
  readonly part: DiffPart;
  /** Number of accounts and the amounts they get. For missing accounts, the amounts they got. */
  readonly count: number;
  readonly sums: readonly Money[];
  /** The largest rows. */
  readonly rows: readonly DiffRow[];
}

/** Number of first payouts that are looked up to find the most similar earlier batch. */
const SAMPLE = 200;
/** Minimum share of common accounts, as one in this number. A smaller share is chance. */
const ALIKE_ONE_IN = 10;
const ROWS_SHOWN = 50;

export interface Before {
  readonly id: string;
  readonly chosen: "same_schedule" | "most_similar";
}

/**
 * Returns the previous batch of the same schedule. Without one, returns the earlier batch of the
 * same maker that pays most of the same accounts, the newest of two with equal counts. Null: no
 * batch is similar.
 */
export async function batchBefore(database: Database, batchId: string): Promise<Before | null> {
  const { rows } = await sql<Before>`
    with batch as materialized (select * from batches where id = ${batchId}),
    sample as materialized (
      select distinct d.account_digest from batch b cross join lateral (
        select id from payouts where id between b.first_id and b.last_id and batch_id = b.id
        order by id limit ${SAMPLE}
      ) p cross join lateral (
        select account_digest from payout_details where payout_id = p.id offset 0
      ) d
    ), shared as (
      select o.id, o.created_at, count(distinct s.account_digest) as accounts
      from batch b cross join sample s cross join lateral (
        select payout_id from payout_details where account_digest = s.account_digest and payout_id < b.first_id offset 0
      ) d cross join lateral (select batch_id from payouts where id = d.payout_id offset 0) p
      join batches o on o.id = p.batch_id
      where o.maker = b.maker and o.state <> 'cancelled' and o.id <> b.id
      group by o.id, o.created_at
    ), series as (
      select o.batch_id as id from occurrences mine
      join occurrences o on o.schedule_id = mine.schedule_id and o.send_at < mine.send_at
      where mine.batch_id = ${batchId} and o.batch_id is not null order by o.send_at desc limit 1
    )
    select id, 'same_schedule' as chosen from series
    union all (
      select id, 'most_similar' from shared
      where not exists (select from series) and accounts * ${ALIKE_ONE_IN} >= (select count(*) from sample)
      order by accounts desc, created_at desc limit 1
    )`.execute(database);
  return rows[0] ?? null;
}

/**
 * Planner settings as for anomalies: sorts and joins run in memory, and index lookups are lateral
 * steps.
 */
const SETTINGS = [
  "work_mem = '64MB'",
  "statement_timeout = '10min'",
  "jit = off",
  "enable_nestloop = off",
  "enable_seqscan = off",
];

/** Compares a batch with another one, by keyed digests of accounts and names. */
export async function diffOf(
  database: Database,
  sealer: Sealer,
  batchId: string,
  againstId: string,
): Promise<DiffShare[]> {
  return inTransaction(database, async (transaction) => {
    for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(transaction);
    const mine = await rowsOf(transaction, batchId);
    const theirs = await rowsOf(transaction, againstId);
    const { rows } = await sql<FoundRow>`
      with accounts as materialized (
        select coalesce(m.currency, t.currency) as currency, coalesce(m.minor_digits, t.minor_digits) as minor_digits,
          m.id, m.name_key, m.amount, t.id as other_id, t.name_key as other_name, t.amount as before
        from ${byAccount(mine)} m full join ${byAccount(theirs)} t
          on t.currency = m.currency and t.account_digest = m.account_digest
      ), renumbered as materialized (
        -- Of those of one name the first: a name that many have is not held against each of them.
        select f.currency, f.minor_digits, f.id, f.amount, g.other_id, g.before
        from accounts f join (
          select distinct on (currency, other_name) currency, other_name, other_id, before
          from accounts where id is null and other_name is not null order by currency, other_name, other_id
        ) g on g.currency = f.currency and g.other_name = f.name_key
        where f.other_id is null
      ), found as (
        select case when amount = before then 'same'
            when amount >= before * ${UNUSUAL_TIMES} or amount * ${UNUSUAL_TIMES} <= before then 'unusual_amount'
            else 'other_amount' end as part,
          id, currency, minor_digits, amount, other_id, before
        from accounts where id is not null and other_id is not null
        union all select 'changed_account', id, currency, minor_digits, amount, other_id, before from renumbered
        union all select 'new', id, currency, minor_digits, amount, null, null from accounts
        where other_id is null and id not in (select id from renumbered)
        union all select 'missing', other_id, currency, minor_digits, before, null, null from accounts
        where id is null and other_id not in (select other_id from renumbered)
      ), ranked as (
        select *, row_number() over (partition by part, currency order by amount desc, id) as rank,
          (count(*) over part)::int as count, sum(amount) over part as sum
        from found window part as (partition by part, currency)
      )
      select r.part, r.id, r.currency, r.minor_digits, r.amount, r.other_id, r.before, r.count, r.sum, p.line
      from ranked r cross join lateral (select line from payouts where id = r.id offset 0) p
      where rank <= ${ROWS_SHOWN} order by part, currency, rank`.execute(transaction);
    const ids = rows.flatMap(({ id, other_id }) => [id, other_id]);
    const people = await beneficiariesOf(transaction, sealer, ids);
    const parts = Map.groupBy(rows, ({ part }) => part);
    return (Object.keys(DIFF_PARTS) as DiffPart[]).flatMap((part) => {
      const some = parts.get(part);
      return some ? [shareOf(part, some, people)] : [];
    });
  });
}

/** Returns the sum that each account of a batch gets in a currency. */
const byAccount = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select currency, account_digest, min(name_key) as name_key, min(id) as id, min(minor_digits) as minor_digits,
    sum(amount_minor) as amount
  from (${rows}) rows group by currency, account_digest)`;

interface FoundRow {
  readonly part: DiffPart;
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount: string;
  readonly other_id: number | null;
  readonly before: string | null;
  readonly count: number;
  readonly sum: string;
}

function shareOf(
  part: DiffPart,
  found: readonly FoundRow[],
  people: ReadonlyMap<number, Beneficiary>,
): DiffShare {
  const currencies = [...new Map(found.map((row) => [row.currency, row])).values()];
  return {
    part,
    count: currencies.reduce((sum, { count }) => sum + count, 0),
    sums: currencies.map((row) => moneyOf({ ...row, amount_minor: row.sum })),
    rows: found.slice(0, ROWS_SHOWN).map((row) => {
      const person = people.get(row.id);
      return {
        line: row.line,
        code: person?.code ?? "",
        name: person?.name ?? "",
        accountLast4: lastFourOf(person),
        money: moneyOf({ ...row, amount_minor: row.amount }),
        before:
          row.before === null
            ? null
            : {
                money: moneyOf({ ...row, amount_minor: row.before }),
                accountLast4: lastFourOf(people.get(row.other_id ?? 0)),
              },
      };
    }),
  };
}
