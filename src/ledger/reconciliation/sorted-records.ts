import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { FETCH_ROWS, Turns, walk } from "#ledger/reconciliation/cursor-pages.ts";
import {
  type CodeKeys,
  findOtherStatements,
  type OtherStatements,
} from "#ledger/reconciliation/other-days.ts";
import { type LedgerRecord, NEARBY_HOURS, type StatementRecord } from "#reconciliation/records.ts";

/** Memory for each sort. A million codes are sorted on disk with the default of 4 MB. */
const SORT_MEMORY = "64MB";

const ROWS = sql.lit(FETCH_ROWS);
const NEARBY = sql.raw(`interval '${NEARBY_HOURS} hours'`);

/** A day of a lane, and the statement that is compared with it. */
export interface DayToCompare {
  readonly statementId: string;
  readonly lane: string;
  readonly startsAt: Date;
  /** Excluded. */
  readonly endsAt: Date;
  /** Compares only these codes. Absent: all. */
  readonly only?: CodeKeys;
  /** Compares only this code and later ones, in byte order. Absent: all. */
  readonly from?: string;
}

/** Both sides of a comparison in pages, each sorted by code in byte order. */
export interface SortedSides {
  readonly ledger: AsyncIterable<readonly LedgerRecord[]>;
  readonly statement: AsyncIterable<readonly StatementRecord[]>;
  /** Waits until no page is being read. Call it before other statements of the transaction. */
  idle(): Promise<void>;
}

/**
 * Opens both sides of a comparison in a transaction. Each side holds two pages of rows in memory,
 * and can be iterated once, before the transaction ends and before other sides are opened.
 */
export async function openSortedSides(
  transaction: Database,
  asked: DayToCompare,
): Promise<SortedSides> {
  await sql`select set_config('work_mem', ${SORT_MEMORY}, true)`.execute(transaction);
  await declareStatement(transaction, asked, await findOtherStatements(transaction, asked));
  await declareLedger(transaction, asked);
  const turns = new Turns();
  const run = (statement: RawBuilder<unknown>) => turns.take(() => statement.execute(transaction));
  return {
    ledger: walk(
      () => run(sql`fetch ${ROWS} from ledger_side`),
      ledgerRecord,
      () => run(sql`close ledger_side`),
    ),
    statement: walk(
      () => run(sql`fetch ${ROWS} from statement_side`),
      statementRecord,
      () => run(sql`close statement_side`),
    ),
    idle: () => turns.end(),
  };
}

/** Selects the IDs of the other current statements, once for all lines. */
const otherStatements = (lane: string, statementId: string) => sql`array(
        select id from statements where lane = ${lane} and state = 'current' and id <> ${statementId})`;

/**
 * Selects the lines of a statement, with the code of the payout for a line that has only a number
 * of the gateway. Two lines of different statements are the same transaction if they have one
 * gateway number and no different times, or no two numbers, but one time and one amount.
 *
 * The lines are sorted before other statements are searched: the index is then read in its order,
 * while the application compares the page before.
 */
async function declareStatement(
  transaction: Database,
  { statementId, lane, only, from = "" }: DayToCompare,
  others: OtherStatements,
): Promise<void> {
  const ofCodes = only ? sql`and code = any (${[...only.codes]}::text[])` : sql``;
  // The other line may have only the number that the ledger knows, which this one may lack.
  const sameCode = others.haveLinesWithoutCode
    ? sql`code = any (array[l.payout_code, '#' || l.gateway_number, '#' || (
        select p.gateway_number from payout_details d join payouts p on p.id = d.payout_id
        where d.transaction_code = l.payout_code collate "default" and p.lane = ${lane})])`
    : sql`code = l.payout_code`;
  const listed = sql`
    select count(*) > 0 as listed,
      min((select day::text from statements where id = e.statement_id) || coalesce(', ' || e.gateway_number, '')) filter (
        where l.status = 'completed' and e.status = 'completed'
          and (e.gateway_number = l.gateway_number and (e.at is null or l.at is null or e.at = l.at)
            or (e.gateway_number is null or l.gateway_number is null) and e.at = l.at
              and (e.amount_minor, e.minor_digits) = (l.amount_minor, l.minor_digits)) is not true)
        as completed
    from (select * from statement_lines where ${sameCode} offset 0) e
    where e.statement_id = any (${otherStatements(lane, statementId)})`;
  await sql`
    declare statement_side no scroll cursor for
    select l.payout_code as code, l.line, l.gateway_number as "gatewayNumber", l.currency,
      l.amount_minor as amount, l.minor_digits as digits, l.fee_minor as fee,
      l.fee_digits as "feeDigits", l.status, l.at, o.listed as "isListedElsewhere",
      o.completed as "alsoCompleted"
    from (
      select * from (
        select *, case when code like '#%' then coalesce((
            select min(d.transaction_code collate "C")
            from payouts p join payout_details d on d.payout_id = p.id
            where p.gateway_number = statement_lines.gateway_number and p.lane = ${lane}
            having count(*) = 1), code)
          else code end as payout_code
        from statement_lines
        where statement_id = ${statementId} ${ofCodes} offset 0) coded
      where payout_code >= ${from}
      order by payout_code, line offset 0) l
    cross join lateral (${others.exist ? listed : sql`select false as listed, null as completed`}) o
    order by 1, l.line`.execute(transaction);
}

/** Whether another current statement lists the payout `r` with one of these results. */
const listedElsewhere = (
  { lane, statementId }: DayToCompare,
  results: RawBuilder<unknown>,
) => sql`exists (
        select from (
          select statement_id from statement_lines
          where code = any (array[r.code, '#' || r."gatewayNumber"])
            and status in (${results}) and currency = r.currency offset 0) l
        where l.statement_id = any (${otherStatements(lane, statementId)}))`;

/**
 * Selects the payouts of a lane that settled or came back on the day or whose code is on the
 * statement. They are read in the order of their IDs, in which they are stored. Other statements
 * are searched only for a payout that came back, or that the statement does not list, or lists as
 * pending: no other comparison needs them.
 */
async function declareLedger(transaction: Database, asked: DayToCompare): Promise<void> {
  const { lane, startsAt, endsAt, from = "" } = asked;
  await sql`
    declare ledger_side no scroll cursor for
    select r.code, r."payoutId", r.currency, r.amount, r.digits, r.state, r."gatewayNumber", r.fee, r."feeDigits",
      r.arrived, r."hadSettled", r."hasSettledOnDay", r."hasSettledNearby",
      r.has_returned and not ${listedElsewhere(asked, sql`'failed', 'returned'`)} as "isReturnUnlisted",
      r.is_pending and coalesce((
        select t.to_state in ('submitting', 'in_doubt', 'accepted', 'on_hold') from transitions t
        where t.payout_id = r."payoutId" and t.at < ${endsAt} order by t.seq desc limit 1), false) as "wasInProgress",
      (r.is_pending or not r.is_listed)
        and ${listedElsewhere(asked, sql`'completed', 'returned'`)} as "isListedElsewhere"
    from (
      select c.code, p.id as "payoutId", p.currency, p.amount_minor as amount, p.minor_digits as digits, p.state,
        p.gateway_number as "gatewayNumber",
        case when p.unreadable_fee is null then p.fee_minor end as fee, p.fee_digits as "feeDigits",
        coalesce(p.reason like 'resolved\\_arrived%', false) as arrived, p.settled_at is not null as "hadSettled",
        coalesce(p.settled_at >= ${startsAt}::timestamptz - ${NEARBY} and p.settled_at < ${startsAt}
          or p.settled_at >= ${endsAt} and p.settled_at < ${endsAt}::timestamptz + ${NEARBY}, false) as "hasSettledNearby",
        c.has_settled as "hasSettledOnDay", c.has_returned, c.is_pending, c.is_listed
      from (${payoutsOfDay(asked)} order by payout_id offset 0) c
      join payouts p on p.id = c.payout_id
      where p.lane = ${lane} and c.code >= ${from}
      order by c.code offset 0
    ) r
    order by 1`.execute(transaction);
}

/**
 * Selects the payouts that settled or came back on a day, or were resolved on it without having
 * settled, and those on its statement, with the code of each. A full join of both sides hashes or
 * sorts them, however many rows PostgreSQL expects.
 */
function payoutsOfDay({ statementId, startsAt, endsAt, only }: DayToCompare) {
  const ofPayouts = only ? sql`and payout_id = any (${[...only.payoutIds]}::bigint[])` : sql``;
  const ofCodes = only ? sql`and l.code = any (${[...only.codes]}::text[])` : sql``;
  return sql`
    select coalesce(known.payout_id, (
        select d.payout_id from payout_details d where d.transaction_code = listed.code collate "default")) as payout_id,
      coalesce(known.code, listed.code) as code, coalesce(known.has_settled, false) as has_settled,
      coalesce(known.has_returned, false) as has_returned,
      coalesce(known.is_pending, false) or coalesce(listed.is_pending, false) as is_pending,
      listed.code is not null as is_listed
    from (
      select i.payout_id, d.transaction_code collate "C" as code, i.has_settled, i.has_returned, i.is_pending
      from (
        select payout_id, bool_or(has_settled) as has_settled, bool_or(has_returned) as has_returned,
          bool_or(is_pending) as is_pending
        from (
          select payout_id, to_state <> 'returned' as has_settled, to_state = 'returned' as has_returned,
            false as is_pending
          from transitions
          where at >= ${startsAt} and at < ${endsAt} ${ofPayouts}
            and (to_state in ('settled', 'returned') or to_state = 'resolved' and not exists (
              select from transitions earlier
              where earlier.payout_id = transitions.payout_id and earlier.to_state = 'settled' offset 0))
          union all
          select p.id, false, false, l.status = 'pending'
          from statement_lines l join payouts p on p.gateway_number = l.gateway_number
          where l.statement_id = ${statementId} and l.code like '#%' ${ofCodes}) each_one
        group by payout_id
        order by payout_id offset 0) i
      join payout_details d on d.payout_id = i.payout_id) known
    full join (
      select l.code, bool_or(l.status = 'pending') as is_pending
      from statement_lines l
      where l.statement_id = ${statementId} and l.code not like '#%' ${ofCodes}
      group by l.code) listed on listed.code = known.code`;
}

interface Money {
  readonly amount: string;
  readonly digits: number;
  readonly fee: string | null;
  readonly feeDigits: number | null;
}

const moneyOf = ({ amount, digits, fee, feeDigits }: Money) => ({
  amount: { minor: BigInt(amount), minorDigits: digits },
  fee: fee === null || feeDigits === null ? null : { minor: BigInt(fee), minorDigits: feeDigits },
});

type StatementRow = Money & Omit<StatementRecord, "amount" | "fee">;

const statementRecord = (row: StatementRow): StatementRecord => ({
  code: row.code,
  line: row.line,
  gatewayNumber: row.gatewayNumber,
  currency: row.currency,
  status: row.status,
  at: row.at,
  isListedElsewhere: row.isListedElsewhere,
  alsoCompleted: row.alsoCompleted,
  ...moneyOf(row),
});

type LedgerRow = Money &
  Omit<LedgerRecord, "amount" | "fee" | "isExpected" | "isReturnExpected"> & {
    readonly isReturnUnlisted: boolean;
  };

const ledgerRecord = (row: LedgerRow): LedgerRecord => ({
  code: row.code,
  payoutId: row.payoutId,
  currency: row.currency,
  state: row.state,
  arrived: row.arrived,
  hadSettled: row.hadSettled,
  gatewayNumber: row.gatewayNumber,
  hasSettledOnDay: row.hasSettledOnDay,
  hasSettledNearby: row.hasSettledNearby,
  wasInProgress: row.wasInProgress,
  isListedElsewhere: row.isListedElsewhere,
  isExpected:
    row.hasSettledOnDay &&
    !row.isListedElsewhere &&
    (row.state === "settled" ||
      // A later contradiction leaves the settlement in the figures of its day.
      row.state === "on_hold" ||
      row.state === "returned" ||
      (row.state === "resolved" && row.arrived)),
  isReturnExpected: row.isReturnUnlisted && !(row.state === "resolved" && row.arrived),
  ...moneyOf(row),
});
