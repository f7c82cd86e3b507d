import { type RawBuilder, sql } from "kysely";
import { type LaneAccount, type Funds, fundsFor } from "#approval/funds.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Money } from "#money/money.ts";

export interface LaneCurrency {
  readonly lane: string;
  readonly currency: string;
  readonly minorDigits: number;
}

/** A lane of a batch, with the amount that the batch pays through it. */
interface BatchLane extends LaneCurrency {
  readonly needed: bigint;
}

/**
 * Returns the lanes of a batch with the amount that each needs, in minor units, without payouts
 * that were cancelled since the approval.
 */
export async function findBatchLanes(database: Database, batchId: string): Promise<BatchLane[]> {
  const { rows } = await sql<Omit<BatchLane, "needed"> & { needed: string }>`
    select l.lane, l.currency, l.minor_digits as "minorDigits",
      (l.total_minor - coalesce((
        select sum(p.amount_minor) from payouts p
        where p.batch_id = l.batch_id and p.lane = l.lane and p.state = 'cancelled' and b.approved_at is not null), 0))::text as needed
    from batch_lanes l join batches b on b.id = l.batch_id
    where l.batch_id = ${batchId} order by l.lane`.execute(database);
  return rows.map((row) => ({ ...row, needed: BigInt(row.needed) }));
}

/** Returns every lane for which a batch was ever uploaded. */
export async function findAllLanes(database: Database): Promise<LaneCurrency[]> {
  const { rows } = await sql<LaneCurrency>`
    select lane, currency, max(minor_digits)::int as "minorDigits"
    from batch_lanes group by lane, currency order by lane`.execute(database);
  return rows;
}

const QUERY_EVERY_MS = 60_000;

/**
 * Takes the right to query the balance of the lane. Returns the time of the query by the ledger's
 * clock, because the clock of a process may be fast. Returns null if any process has queried it
 * within the last minute, with or without an answer.
 */
export async function claimBalanceQuery(database: Database, lane: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    insert into lane_balances as b (lane, queried_at) values (${lane}, now())
    on conflict (lane) do update set queried_at = excluded.queried_at
    where abs(extract(epoch from excluded.queried_at - b.queried_at)) * 1000 >= ${QUERY_EVERY_MS}
    returning queried_at as at`.execute(database);
  return rows[0]?.at ?? null;
}

/**
 * Stores the answer to the balance query of that time. Without an answer, the previous balance is
 * kept.
 */
export async function storeBalance(
  database: Database,
  lane: string,
  told:
    | { readonly askedAt: Date; readonly minor: bigint; readonly minorDigits: number }
    | { readonly problem: string },
): Promise<void> {
  if ("problem" in told) {
    await sql`update lane_balances set problem = ${told.problem} where lane = ${lane}`.execute(
      database,
    );
    return;
  }
  // Two answers may cross; the answer to the later query counts. A stored time in the future was
  // written by a clock that has been set back since.
  await sql`
    update lane_balances set reported_at = ${told.askedAt}, amount_minor = ${`${told.minor}`}::numeric,
      minor_digits = ${told.minorDigits}, problem = null
    where lane = ${lane} and (reported_at is null or reported_at < ${told.askedAt} or reported_at > now())`.execute(
    database,
  );
}

/**
 * Returns the condition that the account holds less than the next of these payouts, according to
 * the gateway's answer of the last minutes. An unknown balance never holds a payout back.
 */
export const isBalanceTooLow = (lane: string, toSend: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from lane_balances b, lateral (
      select amount_minor, minor_digits from payouts where ${toSend} order by line limit 1) p
    where b.lane = ${lane} and b.reported_at > now() - interval '3 minutes'
      and b.minor_digits = p.minor_digits and b.amount_minor < p.amount_minor)`;

/**
 * Time by which a balance may lag behind the gateway's statuses: a payout that settled so shortly
 * before the report may still be part of the balance.
 */
const BALANCE_LAG = sql`interval '1 minute'`;

/** Age above which a balance counts as unknown, with a margin for the clocks of other servers. */
const REPORTED_WITHIN = "20 minutes";

/**
 * Sums, for each lane, the payouts in progress and those that its balance may lack, excluding the
 * batch that is compared with them.
 */
const deductedAmounts = (batchId: string) => sql`
    approved_batches as (
      select id
      from batches
      where id <> ${batchId}
        and approved_at is not null
        and state in ('approved', 'paused')
    ),
    -- Materialized, because PostgreSQL would otherwise compute the sums again for each lane.
    deducted_amounts as materialized (
      select sums.*
      from approved_batches
        cross join lateral (
          select payout_counts.lane, payout_counts.minor_digits, false as settled,
            sum(payout_counts.amount_minor) as amount
          from payout_counts
            join known_balances on known_balances.lane = payout_counts.lane
          where payout_counts.batch_id = approved_batches.id
            and payout_counts.state in ('approved', 'held_back', 'submitting', 'in_doubt', 'accepted', 'on_hold')
          group by payout_counts.lane, payout_counts.minor_digits
        ) sums
      union all
      select payouts.lane, payouts.minor_digits, false, sum(payouts.amount_minor)
      from payouts
        join batches on batches.id = payouts.batch_id
      where payouts.state = 'on_hold'
        and batches.approved_at is not null
        and batches.id <> ${batchId}
        and batches.id not in (select id from approved_batches)
      group by payouts.lane, payouts.minor_digits
      union all
      select payouts.lane, payouts.minor_digits, true, sum(payouts.amount_minor)
      from payouts
        join known_balances on known_balances.lane = payouts.lane
      where payouts.settled_at >= (select min(since) from known_balances)
        and payouts.settled_at >= known_balances.since
        and payouts.state = 'settled'
        and payouts.batch_id <> ${batchId}
      group by payouts.lane, payouts.minor_digits
    )`;

/** Selects one of the two sums in the minor unit of the lane, rounded up. */
const deductedIn = (isSettled: boolean) => sql`(
        select coalesce(sum(ceil(amount * power(10::numeric, unit - deducted_amounts.minor_digits))), 0)
        from deducted_amounts
        where deducted_amounts.lane = known_balances.lane and settled = ${isSettled}
      )::text`;

/**
 * Returns the known accounts with the amounts to subtract from their balances, excluding the batch
 * that is compared with them. The gateway does not document whether it deducts an amount from the
 * balance on acceptance or on payment. An amount therefore counts as reserved from the approval
 * until the payout is settled or declined.
 *
 * The gateway is asked for a balance after the time that is stored with it, by the same clock as
 * the times of settlement. A balance therefore includes every payout that settled before; those
 * that settled later, or at most BALANCE_LAG earlier, are summed as settled since.
 *
 * Of finished batches, only payouts on hold are reserved. Otherwise a whole batch would be read for
 * a single payout.
 */
export async function findLaneAccounts<Of extends LaneCurrency>(
  database: Database,
  lanes: readonly Of[],
  batchId = "",
): Promise<readonly (readonly [Of, LaneAccount])[]> {
  const { rows } = await sql<{
    lane: string;
    told: Date | null;
    problem: string | null;
    minor: string | null;
    digits: number | null;
    reserved: string;
    settled: string | null;
  }>`
    with
    -- The last reported balance of each lane, and the time from which it may lack settlements. It is
    -- null for a balance that counts as unknown: the settlements since are not summed.
    known_balances as (
      select
        requested.lane,
        requested.unit,
        lane_balances.reported_at,
        case
          when lane_balances.reported_at > now() - interval '${sql.raw(REPORTED_WITHIN)}'
            then lane_balances.reported_at - ${BALANCE_LAG}
        end as since,
        lane_balances.problem,
        lane_balances.amount_minor,
        lane_balances.minor_digits
      from unnest(
          ${lanes.map(({ lane }) => lane)}::text[],
          ${lanes.map(({ minorDigits }) => minorDigits)}::int[]
        ) as requested(lane, unit)
        left join lane_balances on lane_balances.lane = requested.lane
    ),
    ${deductedAmounts(batchId)}
    select
      lane,
      reported_at as told,
      problem,
      amount_minor::text as minor,
      minor_digits as digits,
      ${deductedIn(false)} as reserved,
      case when since is not null then ${deductedIn(true)} end as settled
    from known_balances`.execute(database);
  const told = new Map(rows.map((row) => [row.lane, row]));
  return lanes.map((of) => {
    const { lane, currency, minorDigits } = of;
    const row = told.get(lane);
    const money = (amount: string) => ({ currency, minor: BigInt(amount), minorDigits });
    const account = {
      lane,
      // A balance stored in another minor unit counts as unknown and is queried again.
      balance: row?.minor == null || row.digits !== minorDigits ? null : money(row.minor),
      reportedAtMs: row?.told?.getTime() ?? null,
      problem: row?.problem ?? null,
      reserved: money(row?.reserved ?? "0"),
      settledSince: row?.settled == null ? null : money(row.settled),
    };
    return [of, account] as const;
  });
}

export interface LaneFunds {
  readonly needed: Money;
  readonly account: LaneAccount;
  readonly funds: Funds;
}

/**
 * Returns for each lane of the batch whether the account covers it in addition to everything else
 * that is approved.
 */
export async function findFunds(
  database: Database,
  batchId: string,
  at: Date,
): Promise<readonly LaneFunds[]> {
  const lanes = await findBatchLanes(database, batchId);
  const accounts = await findLaneAccounts(database, lanes, batchId);
  return accounts.map(([{ currency, minorDigits, needed: minor }, account]) => ({
    needed: { currency, minor, minorDigits },
    account,
    funds: fundsFor(minor, account, at.getTime()),
  }));
}
