import { type RawBuilder, sql } from "kysely";
import {
  allowedAmount,
  type LimitBreach,
  findLimitBreaches,
  extraApprovers,
  groupLimits,
  isHardLimitExceeded,
  LIMIT_SCOPES,
  LimitsRefused,
  type LimitScope,
  type MeasuredLimits,
  type Sum,
} from "#approval/payout-limits.ts";
import { describeFunds } from "#approval/funds.ts";
import { findFunds } from "#ledger/payout/lane/balances.ts";
import type { Database } from "#ledger/store/database.ts";
import { readPayoutLimits } from "#ledger/approval/payout-limits.ts";

/**
 * Condition for counted payouts: approved and not conclusively unpaid. A payout that was returned
 * later was sent once and still counts.
 */
const IS_COUNTED = sql`p.state not in ('awaiting_approval', 'declined', 'cancelled')`;

/**
 * Returns every limit that the batch would exceed if it were approved at that moment.
 *
 * @param send send time; null: immediately; undefined: the planned time.
 */
export async function findBatchLimitBreaches(
  database: Database,
  batchId: string,
  at: Date,
  send?: Date | null,
): Promise<readonly LimitBreach[]> {
  const { limits, zone } = await readPayoutLimits(database);
  if (limits.length === 0) return [];
  const { rows } = await sql<{ maker: string; sendAt: Date | null; currencies: string[] }>`
    select maker, (select send_at from send_times where batch_id = b.id) as "sendAt", array(select distinct currency from batch_lanes where batch_id = b.id) as currencies
    from batches b where id = ${batchId}`.execute(database);
  const [batch] = rows;
  if (!batch) return [];
  const goesAt = (send === undefined ? batch.sendAt : send) ?? at;
  const held: MeasuredLimits[] = [];
  for (const group of groupLimits(
    limits.filter(({ currency }) => batch.currencies.includes(currency)),
  )) {
    const asked = { batchId, maker: batch.maker, zone, at: goesAt > at ? goesAt : at, ...group };
    held.push({ ...group, sums: await SUMS[group.scope](database, asked) });
  }
  return findLimitBreaches(held);
}

/**
 * Checks the batch against the limits in the approving transaction, and makes other approvals wait
 * until it has ended, so that two simultaneous approvals cannot together exceed a limit. Returns
 * the number of additional approvers and records it on the batch.
 *
 * @throws LimitsRefused if a hard limit would be exceeded, or if the balance must cover the batch
 * and is not known to.
 */
export async function enforceLimits(
  transaction: Database,
  batchId: string,
  at: Date,
  send?: Date | null,
): Promise<{ readonly extra: 0 | 1; readonly breaches: readonly LimitBreach[] }> {
  const waiting = await sql`
    select from batches where id = ${batchId} and state = 'awaiting_approval' for update`.execute(
    transaction,
  );
  if (waiting.rows.length === 0) return { extra: 0, breaches: [] };
  // Approving a million payouts takes longer than the lock timeout used elsewhere.
  await sql`set local lock_timeout = '55s'`.execute(transaction);
  await sql`select pg_advisory_xact_lock(hashtext('payrun limits'))`.execute(transaction);
  const breaches = await findBatchLimitBreaches(transaction, batchId, at, send);
  const uncovered = await findUncoveredLanes(transaction, batchId, at);
  if (isHardLimitExceeded(breaches) || uncovered.length > 0)
    throw new LimitsRefused(breaches, uncovered);
  const extra = extraApprovers(breaches);
  await sql`
    update batches set limit_people = ${extra}
    where id = ${batchId} and limit_people <> ${extra}`.execute(transaction);
  return { extra, breaches };
}

/**
 * Returns for each lane why its balance is not known to cover the batch. Empty if that only causes
 * a warning.
 */
export async function findUncoveredLanes(
  database: Database,
  batchId: string,
  at: Date,
): Promise<readonly string[]> {
  const { when_short } = await readPayoutLimits(database);
  if (when_short === "warn") return [];
  const lanes = await findFunds(database, batchId, at);
  return lanes.flatMap(({ account, funds }) =>
    funds.kind === "enough" ? [] : describeFunds(account.lane, funds),
  );
}

interface LimitQuery extends Omit<MeasuredLimits, "sums"> {
  readonly batchId: string;
  readonly maker: string;
  readonly zone: string;
  readonly at: Date;
}

/**
 * How each kind of limit is measured. Amounts in another minor unit are converted to that of the
 * limit.
 */
const SUMS: Readonly<
  Record<LimitScope, (database: Database, asked: LimitQuery) => Promise<readonly Sum[]>>
> = {
  row: sumsOfRows,
  batch: async (database, asked) => [
    { before: 0n, own: await batchTotal(database, asked), line: null },
  ],
  day: sumOfDay,
  uploader_day: sumOfDay,
  beneficiary_day: sumsOfAccounts,
  beneficiary_week: sumsOfAccounts,
};

/** Maximum number of listed excesses, the largest first. */
const BREACHES_LISTED = 5;

/**
 * Returns the amount in the given unit. Amounts of one currency normally have the same unit, and a
 * power of ten costs more than everything else.
 */
const amountIn = (minorDigits: number): RawBuilder<string> =>
  sql<string>`case when p.minor_digits = ${minorDigits}::int then p.amount_minor
    else p.amount_minor * power(10::numeric, ${minorDigits}::int - p.minor_digits) end`;

const sumIn = (minorDigits: number): RawBuilder<string> =>
  sql<string>`ceil(sum(${amountIn(minorDigits)}))`;

/** Returns the lowest applicable limit. Sums below it need not be examined. */
const lowest = ({ limits, minorDigits }: LimitQuery): string =>
  `${limits.map((limit) => allowedAmount(limit, minorDigits)).reduce((a, b) => (a < b ? a : b))}`;

async function sumsOfRows(database: Database, asked: LimitQuery): Promise<readonly Sum[]> {
  const { batchId, currency, minorDigits } = asked;
  const { rows } = await sql<{ line: number; own: string }>`
    select p.line, ceil(${amountIn(minorDigits)})::text as own
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    where b.id = ${batchId} and p.currency = ${currency} and p.state not in ('declined', 'cancelled')
      and ${amountIn(minorDigits)} > ${lowest(asked)}::numeric
    order by p.amount_minor desc, p.line limit ${BREACHES_LISTED}`.execute(database);
  return rows.map(({ line, own }) => ({ before: 0n, own: BigInt(own), line }));
}

async function batchTotal(
  database: Database,
  { batchId, currency, minorDigits }: LimitQuery,
): Promise<bigint> {
  const { rows } = await sql<{ own: string | null }>`
    select ceil(sum(total_minor * power(10::numeric, ${minorDigits}::int - minor_digits)))::text as own
    from batch_lanes where batch_id = ${batchId} and currency = ${currency}`.execute(database);
  return BigInt(rows[0]?.own ?? 0);
}

async function sumOfDay(database: Database, asked: LimitQuery): Promise<readonly Sum[]> {
  const person = asked.scope === "uploader_day" ? asked.maker : null;
  const [own, before] = [
    await batchTotal(database, asked),
    await usedAmount(database, { ...asked, person }),
  ];
  return [{ before, own, line: null }];
}

/** Returns the amount of that day that counts already, for one person or for all. */
export async function usedAmount(
  database: Database,
  use: Pick<LimitQuery, "scope" | "currency" | "minorDigits" | "zone" | "at"> & {
    /** Batch that is excluded, because its own amount is compared with the limit. */
    readonly batchId?: string;
    readonly person: string | null;
  },
): Promise<bigint> {
  const { currency, minorDigits, person, batchId = "" } = use;
  const { rows } = await sql<{ used: string | null }>`
    select sum(each.used)::text as used
    from batches o cross join lateral (
      select ${sumIn(minorDigits)} as used from payouts p
      where p.id between o.first_id and o.last_id and p.batch_id = o.id and p.currency = ${currency} and ${IS_COUNTED}
    ) each
    where o.id <> ${batchId} and ${sentWithin(use)}
      and (${person}::text is null or person_behind(o.maker) = person_behind(${person}::text))`.execute(
    database,
  );
  return BigInt(rows[0]?.used ?? 0);
}

/**
 * Returns every account of the batch that would get more than the lowest limit, by its keyed
 * digest.
 */
async function sumsOfAccounts(database: Database, asked: LimitQuery): Promise<readonly Sum[]> {
  const { batchId, currency, minorDigits } = asked;
  const isOther = sql`o.id <> ${batchId} and ${sentWithin(asked)}`;
  const isCounted = sql`p.currency = ${currency} and ${IS_COUNTED}`;
  // For a small batch, its accounts are looked up. For a large one, reading the days once is
  // faster.
  const other = (await isLarge(database, batchId, isOther))
    ? sql`left join (
        select d.account_digest, ${sumIn(minorDigits)} as used
        from batches o join payouts p on p.id between o.first_id and o.last_id and p.batch_id = o.id
          join payout_details d on d.payout_id = p.id
        where ${isOther} and ${isCounted} group by d.account_digest
      ) other using (account_digest)`
    : sql`cross join lateral (
        select ${sumIn(minorDigits)} as used
        from (select payout_id from payout_details where account_digest = mine.account_digest offset 0) d
          join payouts p on p.id = d.payout_id join batches o on o.id = p.batch_id
        where ${isOther} and ${isCounted}
      ) other`;
  const { rows } = await sql<{ line: number; own: string; before: string }>`
    with mine as (
      select d.account_digest, ${sumIn(minorDigits)} as own, min(p.line) as line
      from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
        join payout_details d on d.payout_id = p.id
      where b.id = ${batchId} and p.currency = ${currency} and p.state not in ('declined', 'cancelled')
      group by d.account_digest
    ), sums as (select line, own, coalesce(used, 0) as before from mine ${other})
    select line, own::text, before::text from sums
    where own + before > ${lowest(asked)}::numeric
    order by own + before desc, line limit ${BREACHES_LISTED}`.execute(database);
  return rows.map(({ line, own, before }) => ({ before: BigInt(before), own: BigInt(own), line }));
}

const LOOKED_UP_AS_MANY = 10;

async function isLarge(
  database: Database,
  batchId: string,
  isOther: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql<{ large: boolean }>`
    select b.rows * ${LOOKED_UP_AS_MANY}::bigint > (select coalesce(sum(o.rows), 0) from batches o where ${isOther}) as large
    from batches b where b.id = ${batchId}`.execute(database);
  return rows[0]?.large ?? false;
}

/**
 * Returns the condition that an approved batch `o` is sent within the days of the limit: on that
 * day, and for a longer limit also on the days before it.
 */
function sentWithin({
  scope,
  zone,
  at,
}: Pick<LimitQuery, "scope" | "zone" | "at">): RawBuilder<boolean> {
  const day = sql`date_trunc('day', ${at}::timestamptz at time zone ${zone})`;
  const { days } = LIMIT_SCOPES[scope];
  // A batch approved after its send time is sent directly after the approval.
  const goesAt = sql`greatest((select s.send_at from send_times s where s.batch_id = o.id), o.approved_at)`;
  return sql<boolean>`(o.approved_at is not null
    and ${goesAt} >= (${day} - ${days - 1} * interval '1 day') at time zone ${zone}
    and ${goesAt} < (${day} + interval '1 day') at time zone ${zone})`;
}
