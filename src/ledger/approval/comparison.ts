import { type RawBuilder, sql } from "kysely";
import { COMPARISON_PARTS, type ComparisonPart, UNUSUAL_FACTOR } from "#approval/comparison.ts";
import { batchRows } from "#ledger/intake/batch-span.ts";
import { findBeneficiaries, type Beneficiary, lastFourOf } from "#ledger/approval/beneficiaries.ts";
import { findPreviousBatch } from "#ledger/approval/previous-batch.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

export interface ComparisonRow {
  readonly code: string;
  readonly line: number;
  readonly name: string;
  readonly accountLast4: string | null;
  /** Sum of all payouts to the account. For a missing account, the payouts of the other batch. */
  readonly money: Money;
  readonly before: { readonly money: Money; readonly accountLast4: string | null } | null;
}

export interface ComparedPart {
  readonly part: ComparisonPart;
  /** Number of accounts and the amounts they get. For missing accounts, the amounts they got. */
  readonly count: number;
  readonly sums: readonly Money[];
  /** The largest rows. */
  readonly rows: readonly ComparisonRow[];
}

const ROWS_SHOWN = 50;

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
export async function compareBatches(
  database: Database,
  sealer: Sealer,
  batchId: string,
  againstId: string,
): Promise<ComparedPart[]> {
  return inTransaction(database, async (transaction) => {
    for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(transaction);
    const mine = await batchRows(transaction, batchId);
    const theirs = await batchRows(transaction, againstId);
    const { rows } = await comparedRows(mine, theirs).execute(transaction);
    const ids = rows.flatMap(({ id, other_id }) => [id, other_id]);
    const people = await findBeneficiaries(transaction, sealer, ids);
    const parts = Map.groupBy(rows, ({ part }) => part);
    return (Object.keys(COMPARISON_PARTS) as ComparisonPart[]).flatMap((part) => {
      const some = parts.get(part);
      return some ? [comparedPartOf(part, some, people)] : [];
    });
  });
}

/**
 * Returns the ids of the payouts that changed against the previous batch: other amounts, and
 * accounts that are not in it. Empty if there is no previous batch.
 */
export async function findChangedAgainstPrevious(
  database: Database,
  batchId: string,
): Promise<number[]> {
  const previous = await findPreviousBatch(database, batchId);
  if (previous === null) return [];
  return inTransaction(database, async (transaction) => {
    for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(transaction);
    const mine = await batchRows(transaction, batchId);
    const theirs = await batchRows(transaction, previous.id);
    const { rows } = await sql<{ id: number }>`
      with
      ${comparedAccounts(mine, theirs)},
      ${SORTED_ACCOUNTS},
      -- The account of each part, found by its first payout.
      same_accounts as (
        select payout.currency, payout.account_digest
        from sorted_accounts
          join (${mine}) payout
            on payout.id = sorted_accounts.id
        where part = 'same'
      )
      select id
      from (${mine}) payout
      where not exists (
          select from same_accounts
          where same_accounts.currency = payout.currency
            and same_accounts.account_digest = payout.account_digest
        )`.execute(transaction);
    return rows.map(({ id }) => id);
  });
}

/** Returns the largest rows of each part of the comparison, with the count and sum of all rows. */
const comparedRows = (mine: RawBuilder<unknown>, theirs: RawBuilder<unknown>) => sql<FoundRow>`
    with
    ${comparedAccounts(mine, theirs)},
    ${SORTED_ACCOUNTS},
    ranked_accounts as (
      select
        *,
        row_number() over (partition by part, currency order by amount desc, id) as rank,
        (count(*) over same_part)::int as count,
        sum(amount) over same_part as sum
      from sorted_accounts
      window same_part as (partition by part, currency)
    )
    select part, ranked_accounts.id, currency, minor_digits, amount, other_id, before, count, sum,
      payout.line
    from ranked_accounts
      cross join lateral (
        select line
        from payouts
        where id = ranked_accounts.id
        offset 0
      ) payout
    where rank <= ${ROWS_SHOWN}
    order by part, currency, rank`;

/** Finds the accounts of both batches, and pairs new accounts with missing namesakes. */
const comparedAccounts = (mine: RawBuilder<unknown>, theirs: RawBuilder<unknown>) => sql`
    -- Each account of either batch, with the amounts of both.
    compared_accounts as materialized (
      select
        coalesce(own.currency, other.currency) as currency,
        coalesce(own.minor_digits, other.minor_digits) as minor_digits,
        own.id,
        own.name_key,
        own.amount,
        other.id as other_id,
        other.name_key as other_name,
        other.amount as before
      from ${byAccount(mine)} own
        full join ${byAccount(theirs)} other
          on other.currency = own.currency
          and other.account_digest = own.account_digest
    ),
    -- New accounts under the name of a missing one. If several missing accounts have the same name,
    -- only the first of them counts.
    changed_accounts as materialized (
      select
        compared_accounts.currency,
        compared_accounts.minor_digits,
        compared_accounts.id,
        compared_accounts.amount,
        missing.other_id,
        missing.before
      from compared_accounts
        join (
          select distinct on (currency, other_name) currency, other_name, other_id, before
          from compared_accounts
          where id is null
            and other_name is not null
          order by currency, other_name, other_id
        ) missing
          on missing.currency = compared_accounts.currency
          and missing.other_name = compared_accounts.name_key
      where compared_accounts.other_id is null
    )`;

/** Sorts the accounts into the parts of the comparison. */
const SORTED_ACCOUNTS = sql`
    sorted_accounts as (
      select
        case
          when amount = before then 'same'
          when amount >= before * ${UNUSUAL_FACTOR} or amount * ${UNUSUAL_FACTOR} <= before
            then 'unusual_amount'
          else 'other_amount'
        end as part,
        id, currency, minor_digits, amount, other_id, before
      from compared_accounts
      where id is not null
        and other_id is not null
      union all
      select 'changed_account', id, currency, minor_digits, amount, other_id, before
      from changed_accounts
      union all
      select 'new', id, currency, minor_digits, amount, null, null
      from compared_accounts
      where other_id is null
        and id not in (select id from changed_accounts)
      union all
      select 'missing', other_id, currency, minor_digits, before, null, null
      from compared_accounts
      where id is null
        and other_id not in (select other_id from changed_accounts)
    )`;

/** Returns the sum that each account of a batch gets in a currency. */
const byAccount = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select
    currency,
    account_digest,
    min(name_key) as name_key,
    min(id) as id,
    min(minor_digits) as minor_digits,
    sum(amount_minor) as amount
  from (${rows}) batch_rows
  group by currency, account_digest)`;

interface FoundRow {
  readonly part: ComparisonPart;
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

function comparedPartOf(
  part: ComparisonPart,
  found: readonly FoundRow[],
  people: ReadonlyMap<number, Beneficiary>,
): ComparedPart {
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
