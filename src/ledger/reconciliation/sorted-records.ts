import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { CodeKeys } from "#ledger/reconciliation/other-days.ts";
import type { LedgerRecord, StatementRecord } from "#reconciliation/records.ts";

/** Number of rows per fetch, about 1 MB. */
const FETCH_ROWS = 5_000;

/** Memory for each sort. A million codes are sorted on disk with the default of 4 MB. */
const SORT_MEMORY = "64MB";

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

/** Both sides of a comparison, each sorted by code in byte order. */
export interface SortedSides {
  readonly ledger: AsyncIterable<LedgerRecord>;
  readonly statement: AsyncIterable<StatementRecord>;
}

/**
 * Opens both sides of a comparison in a transaction. Each side holds one page of rows in memory,
 * and can be iterated once, before the transaction ends and before other sides are opened.
 */
export async function openSortedSides(
  transaction: Database,
  asked: DayToCompare,
): Promise<SortedSides> {
  await sql`select set_config('work_mem', ${SORT_MEMORY}, true)`.execute(transaction);
  await declareStatement(transaction, asked);
  await declareLedger(transaction, asked);
  return {
    ledger: walk(
      () => sql`fetch 5000 from ledger_side`.execute(transaction),
      ledgerRecord,
      () => sql`close ledger_side`.execute(transaction),
    ),
    statement: walk(
      () => sql`fetch 5000 from statement_side`.execute(transaction),
      statementRecord,
      () => sql`close statement_side`.execute(transaction),
    ),
  };
}

/**
 * Selects the lines of a statement, with the code of the payout for a line that has only a number
 * of the gateway. Two lines of different statements are the same transaction if they have one
 * gateway number and no different times, or no two numbers, but one time and one amount.
 */
async function declareStatement(
  transaction: Database,
  { statementId, lane, only, from = "" }: DayToCompare,
): Promise<void> {
  const ofCodes = only ? sql`and code = any (${[...only.codes]}::text[])` : sql``;
  await sql`
    declare statement_side no scroll cursor for
    select l.payout_code as code, l.line, l.gateway_number as "gatewayNumber", l.currency,
      l.amount_minor as amount, l.minor_digits as digits, l.fee_minor as fee,
      l.fee_digits as "feeDigits", l.status, l.at, o.listed as "isListedElsewhere",
      o.completed as "alsoCompleted"
    from (
      select *, case when code like '#%' then coalesce((
          select min(d.transaction_code collate "C")
          from payouts p join payout_details d on d.payout_id = p.id
          where p.gateway_number = statement_lines.gateway_number and p.lane = ${lane}
          having count(*) = 1), code)
        else code end as payout_code
      from statement_lines
      where statement_id = ${statementId} ${ofCodes} offset 0) l
    cross join lateral (
      select count(*) > 0 as listed,
        min(s.day::text || coalesce(', ' || e.gateway_number, '')) filter (
          where l.status = 'completed' and e.status = 'completed'
            and (e.gateway_number = l.gateway_number and (e.at is null or l.at is null or e.at = l.at)
              or (e.gateway_number is null or l.gateway_number is null) and e.at = l.at
                and (e.amount_minor, e.minor_digits) = (l.amount_minor, l.minor_digits)) is not true)
          as completed
      from statement_lines e join statements s on s.id = e.statement_id
      where e.code = any (array[l.payout_code, '#' || l.gateway_number]) and e.statement_id <> ${statementId}
        and s.lane = ${lane} and s.state = 'current') o
    where l.payout_code >= ${from}
    order by 1, l.line`.execute(transaction);
}

/** Selects the payouts of a lane that settled on the day or whose code is on the statement. */
async function declareLedger(transaction: Database, asked: DayToCompare): Promise<void> {
  const { statementId, lane, endsAt, from = "" } = asked;
  await sql`
    declare ledger_side no scroll cursor for
    select r.*, r.is_paid and "hasSettledOnDay" and not "isListedElsewhere" as "isExpected"
    from (
      select d.transaction_code collate "C" as code, p.id as "payoutId", p.currency,
        p.amount_minor as amount, p.minor_digits as digits, p.state, p.gateway_number as "gatewayNumber",
        case when p.unreadable_fee is null then p.fee_minor end as fee, p.fee_digits as "feeDigits",
        coalesce(p.reason like 'resolved\\_arrived%', false) as arrived, p.settled_at is not null as "hadSettled",
        p.state in ('settled', 'returned')
          or p.state = 'resolved' and coalesce(p.reason like 'resolved\\_arrived%', false) as is_paid,
        c.has_settled as "hasSettledOnDay",
        c.is_pending and coalesce((
          select t.to_state in ('submitting', 'in_doubt', 'accepted', 'on_hold') from transitions t
          where t.payout_id = p.id and t.at < ${endsAt} order by t.seq desc limit 1), false) as "wasInProgress",
        exists (
          select from statement_lines l join statements s on s.id = l.statement_id
          where l.code = any (array[d.transaction_code collate "C", '#' || p.gateway_number])
            and l.statement_id <> ${statementId} and l.status in ('completed', 'returned')
            and l.currency = p.currency and s.lane = ${lane} and s.state = 'current') as "isListedElsewhere"
      from (
        select payout_id, bool_or(has_settled) as has_settled, bool_or(is_pending) as is_pending
        from (${payoutsOfDay(asked)}) each_one
        group by payout_id
      ) c
      join payouts p on p.id = c.payout_id
      join payout_details d on d.payout_id = p.id
      where p.lane = ${lane}
    ) r
    where r.code >= ${from}
    order by 1`.execute(transaction);
}

/**
 * Selects the IDs of the payouts that settled on a day, or were resolved on it without having
 * settled, and of those on its statement.
 */
function payoutsOfDay({ statementId, startsAt, endsAt, only }: DayToCompare) {
  const ofPayouts = only ? sql`and payout_id = any (${[...only.payoutIds]}::bigint[])` : sql``;
  const ofCodes = only ? sql`and l.code = any (${[...only.codes]}::text[])` : sql``;
  return sql`
    select payout_id, true as has_settled, false as is_pending
    from transitions
    where at >= ${startsAt} and at < ${endsAt} ${ofPayouts}
      and (to_state = 'settled' or to_state = 'resolved' and not exists (
        select from transitions earlier
        where earlier.payout_id = transitions.payout_id and earlier.to_state = 'settled'))
    union all
    select d.payout_id, false, l.status = 'pending'
    from statement_lines l join payout_details d on d.transaction_code = l.code collate "default"
    where l.statement_id = ${statementId} ${ofCodes}
    union all
    select p.id, false, l.status = 'pending'
    from statement_lines l join payouts p on p.gateway_number = l.gateway_number
    where l.statement_id = ${statementId} and l.code like '#%' ${ofCodes}`;
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

type LedgerRow = Money & Omit<LedgerRecord, "amount" | "fee">;

const ledgerRecord = (row: LedgerRow): LedgerRecord => ({
  code: row.code,
  payoutId: row.payoutId,
  currency: row.currency,
  state: row.state,
  arrived: row.arrived,
  hadSettled: row.hadSettled,
  gatewayNumber: row.gatewayNumber,
  hasSettledOnDay: row.hasSettledOnDay,
  wasInProgress: row.wasInProgress,
  isListedElsewhere: row.isListedElsewhere,
  isExpected: row.isExpected,
  ...moneyOf(row),
});

/** Walks through a cursor in pages, and closes it at its end. */
async function* walk<Fetched>(
  fetch: () => Promise<{ readonly rows: readonly unknown[] }>,
  recordOf: (row: never) => Fetched,
  close: () => Promise<unknown>,
): AsyncGenerator<Fetched> {
  for (let fetched = FETCH_ROWS; fetched === FETCH_ROWS; ) {
    const { rows } = await fetch();
    // The columns of the cursor.
    for (const row of rows as never[]) yield recordOf(row);
    fetched = rows.length;
  }
  await close();
}
