import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { AT_GATEWAY } from "#ledger/store/tables.ts";
import { MOVEMENTS, type MovementName, type MovementSum } from "#reconciliation/day-figures.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/** A business day of a lane. */
export interface LaneDay {
  readonly lane: string;
  /** "2026-11-26" */
  readonly day: string;
  readonly startsAt: Date;
  /** Excluded. */
  readonly endsAt: Date;
}

/** The money of a day as the ledger shows it, from one SQL statement. */
export interface DayMoney {
  readonly sums: readonly MovementSum[];
  /** Settled and manually resolved payouts without a readable fee. */
  readonly withoutFee: number;
  /** Settled payouts that have come back since. */
  readonly returnedSince: number;
  /** IDs of payouts that were sent before the end of the day and are not final. */
  readonly openPayouts: readonly number[];
}

/** The fee of a payout. Null: the gateway has reported none, or an unreadable one since. */
const FEE = sql`
        case when p.unreadable_fee is null then p.fee_minor end as fee_minor,
        case when p.unreadable_fee is null then p.fee_digits end as fee_digits`;

/** The events after which it is known whether a payout is paid. */
const PAYOUT_RESULTS = sql`('settle', 'return', 'resolve')`;

const isPaidAfter = (event: string): RawBuilder<unknown> => {
  const { of, reason } = { of: sql.ref(`${event}.event`), reason: sql.ref(`${event}.reason`) };
  return sql`(${of} = 'settle' or ${of} = 'resolve' and coalesce(${reason} like 'resolved\\_arrived%', false))`;
};

/** The amount of deposit `d` that has arrived after one of its events. */
const receivedAfter = (event: string): RawBuilder<unknown> => {
  const of = (column: string) => sql.ref(`${event}.${column}`);
  return sql`case
        when ${of("event")} = 'complete' then coalesce(d.paid_minor, d.amount_minor)
        when ${of("reason")} like 'resolved\\_received%' then coalesce((
          select r.amount_minor from deposit_resolutions r
          where r.deposit_id = d.id and r.seq = ${of("seq")} - 1 and r.outcome in ('agreed', 'alone')), d.amount_minor)
        else 0 end`;
};

/**
 * The changes of results on the day. A payout that is resolved again with the same result has not
 * moved money.
 */
const changedPayouts = ({ lane, startsAt, endsAt }: LaneDay) => sql`
    changed_payouts as (
      select t.event, p.id, p.minor_digits, p.amount_minor, p.settled_at, t.at, is_paid, ${FEE}
      from transitions t
        join payouts p on p.id = t.payout_id
        cross join lateral (select ${isPaidAfter("t")} as is_paid) later
        cross join lateral (
          select coalesce((
            select ${isPaidAfter("e")}
            from transitions e
            where e.payout_id = t.payout_id and e.seq < t.seq and e.event in ${PAYOUT_RESULTS}
            order by e.seq desc limit 1), false) as was_paid) earlier
      where t.event in ('return', 'resolve')
        and t.at >= ${startsAt} and t.at < ${endsAt}
        and p.lane = ${lane}
        and is_paid <> was_paid
    )`;

const changedDeposits = ({ lane, startsAt, endsAt }: LaneDay) => sql`
    changed_deposits as (
      select d.transaction_code, d.minor_digits, received - received_before as received, t.at
      from deposit_transitions t
        join deposits d on d.id = t.deposit_id
        cross join lateral (select ${receivedAfter("t")} as received) later
        cross join lateral (
          select coalesce((
            select ${receivedAfter("e")}
            from deposit_transitions e
            where e.deposit_id = t.deposit_id and e.seq < t.seq and e.event in ('complete', 'resolve')
            order by e.seq desc limit 1), 0) as received_before) earlier
      where t.event in ('complete', 'resolve')
        and t.at >= ${startsAt} and t.at < ${endsAt}
        and d.lane = ${lane}
        and received <> received_before
    )`;

/**
 * Selects the settled payouts of a day: those that settled on it and count on no other day, and
 * those of the day before or after that its statement lists.
 */
const countedOn = ({ lane, day, startsAt, endsAt }: LaneDay) => sql`
          select * from payouts
          where settled_at is not null and settled_at >= ${startsAt} and settled_at < ${endsAt} and lane = ${lane}
            and not exists (
              select from counted_days c
              where c.payout_id = payouts.id and c.settled_at = payouts.settled_at and c.ended_at is null)
          union all
          select payouts.* from counted_days c join payouts on payouts.id = c.payout_id and payouts.settled_at = c.settled_at
          where c.lane = ${lane} and c.day = ${day}::date and c.ended_at is null`;

/** A row of the statement: a movement, or a number of payouts. */
interface Row {
  readonly name: MovementName | "without_fee" | "returned_since" | "open_payouts";
  readonly digits: number | null;
  readonly count: number;
  readonly amount: string | null;
  readonly ids: string | null;
}

/** Adds up the movements of a day. Settled payouts are found by the index on settled_at. */
export async function findDayMoney(database: Database, given: LaneDay): Promise<DayMoney> {
  const { lane, day, endsAt } = given;
  const { rows } = await sql<Row>`
    with
    settled_payouts as (
      select minor_digits, fee_digits, count(*) as payouts, sum(amount_minor) as amount, sum(fee_minor) as fee,
        count(*) filter (where has_returned) as returned
      from (select p.minor_digits, p.amount_minor, ${FEE}, p.state = 'returned'
          or p.state in ('on_hold', 'resolved') and coalesce(p.reason, '') not like 'resolved\\_arrived%'
            and exists (select from transitions t where t.payout_id = p.id and t.event = 'return') as has_returned
        from (${countedOn(given)}) p) s
      group by minor_digits, fee_digits
    ),
    ${changedPayouts(given)},
    ${changedDeposits(given)},
    -- A payout that never settled was charged if people resolve it as arrived, until they take it back.
    resolved_fees as (
      select is_paid, fee_minor, fee_digits from changed_payouts where event = 'resolve' and settled_at is null
    ),
    open_payouts as (
      select id from payouts
      where lane = ${lane} and (${AT_GATEWAY} or state = 'on_hold') and first_sent_at < ${endsAt}
    ),
    figures as (
      select 'payouts' as name, minor_digits as digits, payouts as count, amount from settled_payouts
      union all
      select 'fees', fee_digits, payouts, fee from settled_payouts where fee_digits is not null
      union all
      select 'fees', fee_digits, 1, case when is_paid then fee_minor else -fee_minor end from resolved_fees
      where fee_digits is not null
      union all
      select 'returns', minor_digits, 1, amount_minor from changed_payouts where event = 'return'
      union all
      select 'resolutions', minor_digits, 1, case when is_paid then -amount_minor else amount_minor end
      from changed_payouts where event = 'resolve'
      union all
      select 'deposits', minor_digits, 1, received from changed_deposits
      union all
      select 'adjustments', minor_digits, 1, amount_minor from day_proposals
      where lane = ${lane} and day = ${day}::date and kind = 'adjustment' and outcome in ('agreed', 'alone')
    )
    select name, digits, sum(count)::integer as count, sum(amount)::text as amount, null as ids
    from figures group by name, digits
    union all
    select 'without_fee', null, sum(payouts)::integer, null, null
    from (select payouts, fee_digits from settled_payouts union all
      select 1, fee_digits from resolved_fees where is_paid) paid
    where fee_digits is null
    having sum(payouts) > 0
    union all
    select 'returned_since', null, sum(returned)::integer, null, null from settled_payouts having sum(returned) > 0
    union all
    select 'open_payouts', null, count(*)::integer, null, json_agg(id order by id)::text from open_payouts
    having count(*) > 0`.execute(database);
  const one = (name: Row["name"]) => rows.find((row) => row.name === name);
  return {
    sums: rows.flatMap(({ name, digits, count, amount }) =>
      isMovement(name) && digits !== null && amount !== null
        ? [{ movement: name, minor: BigInt(amount), minorDigits: digits, count }]
        : [],
    ),
    withoutFee: one("without_fee")?.count ?? 0,
    returnedSince: one("returned_since")?.count ?? 0,
    openPayouts: JSON.parse(one("open_payouts")?.ids ?? "[]") as number[],
  };
}

const isMovement = (name: string): name is MovementName =>
  (MOVEMENTS as readonly string[]).includes(name);

/** A payout or deposit behind a figure of a day. */
export interface DayItem {
  readonly movement: "deposits" | "returns" | "resolutions";
  readonly code: string;
  readonly amount: ExactAmount;
  readonly at: Date;
}

/** The order of the items of a day. */
export type ItemKey = readonly [movement: string, at: string, code: string];

/** A page of the items of a day. */
export interface DayItems {
  readonly items: readonly DayItem[];
  /** Number of items from this page on. */
  readonly total: number;
  /** Key of the last item. Null: the page is empty. */
  readonly last: ItemKey | null;
}

/** Returns the next deposits, returned payouts and manually resolved payouts of a day. */
export async function findDayItems(
  database: Database,
  given: LaneDay,
  { after = null, limit }: { readonly after?: ItemKey | null; readonly limit: number },
): Promise<DayItems> {
  const [movementAfter, atAfter, codeAfter] = after ?? [null, null, null];
  const { rows } = await sql<{
    movement: DayItem["movement"];
    code: string;
    amount: string;
    digits: number;
    at: Date;
    time: string;
    total: number;
  }>`
    with
    ${changedPayouts(given)},
    ${changedDeposits(given)}
    select movement, code, amount::text as amount, digits, at, at::text as time,
      count(*) over ()::integer as total
    from (
      select case event when 'return' then 'returns' else 'resolutions' end as movement,
        d.transaction_code as code, minor_digits as digits, at,
        case when is_paid then -c.amount_minor else c.amount_minor end as amount
      from changed_payouts c join payout_details d on d.payout_id = c.id
      union all
      select 'deposits', transaction_code, minor_digits, at, received from changed_deposits) items
    where ${movementAfter}::text is null
      or (movement, at, code) > (${movementAfter}::text, ${atAfter}::timestamptz, ${codeAfter}::text)
    order by movement, at, code
    limit ${limit}`.execute(database);
  const last = rows.at(-1);
  return {
    items: rows.map(({ movement, code, amount, digits, at }) => ({
      movement,
      code,
      amount: { minor: BigInt(amount), minorDigits: digits },
      at,
    })),
    total: rows[0]?.total ?? 0,
    last: last ? [last.movement, last.time, last.code] : null,
  };
}
