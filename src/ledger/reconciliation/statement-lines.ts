import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Statement } from "#ledger/reconciliation/statements.ts";
import type { StatementLine, StatementStatus } from "#reconciliation/records.ts";

/** Stores lines of a statement. No value contains a line break, so each column is one text. */
export async function insertStatementLines(
  transaction: Database,
  statementId: string,
  lines: readonly StatementLine[],
): Promise<void> {
  const column = (text: (line: StatementLine) => string | number | bigint | null | undefined) =>
    sql`string_to_array(${lines.map((line) => text(line) ?? "").join("\n")}::text, E'\n', '')`;
  await sql`
    insert into statement_lines
      (statement_id, line, code, gateway_number, currency, amount_minor, minor_digits, fee_minor,
        fee_digits, status, at)
    select ${statementId}, l.*
    from unnest(
      ${column(({ line }) => line)}::integer[],
      ${column(({ code }) => code)},
      ${column(({ gatewayNumber }) => gatewayNumber)},
      ${column(({ currency }) => currency)},
      ${column(({ amount }) => amount.minor)}::numeric[],
      ${column(({ amount }) => amount.minorDigits)}::smallint[],
      ${column(({ fee }) => fee?.minor)}::numeric[],
      ${column(({ fee }) => fee?.minorDigits)}::smallint[],
      ${column(({ status }) => status)},
      ${column(({ at }) => at?.toISOString())}::timestamptz[]) as l`.execute(transaction);
}

/** Sum of the lines with one status and one number of decimals. */
export interface LineSum {
  readonly status: StatementStatus;
  readonly minorDigits: number;
  readonly amount: bigint;
  /** Null: no line has a fee. */
  readonly fee: bigint | null;
  readonly feeDigits: number | null;
}

/**
 * Adds up the lines that can have moved the balance of the day: in the currency of the account, not
 * of another day, and not about deposits, unless the balances come from the file: its deposits are
 * then returned lines. A payout that failed after it was completed counts as returned.
 */
export async function sumStatementLines(
  database: Database,
  { id, lane, startsAt, endsAt, balances }: Statement,
  currency: string,
): Promise<readonly LineSum[]> {
  const withoutDeposits = sql`
        and not exists (select from deposits d where d.lane = ${lane} and d.transaction_code = l.code)
        and not exists (select from deposits d where d.lane = ${lane} and '#' || d.gateway_number = l.code)`;
  const { rows } = await sql<{
    status: StatementStatus;
    minorDigits: number;
    feeDigits: number | null;
    amount: string | null;
    fee: string | null;
  }>`
    select status, minor_digits as "minorDigits", fee_digits as "feeDigits",
      sum(amount_minor) as amount, sum(fee_minor) as fee
    from (
      select l.minor_digits, l.fee_digits, l.amount_minor, l.fee_minor,
        case when l.status = 'failed' and exists (
          select from statement_lines c join statements s on s.id = c.statement_id
          where c.code = l.code and c.status = 'completed' and c.at < l.at
            and c.gateway_number is not distinct from l.gateway_number
            and (s.id = l.statement_id or s.lane = ${lane} and s.state = 'current')) then 'returned'
          else l.status end as status
      from statement_lines l
      where l.statement_id = ${id} and l.currency = ${currency}
        and (l.at is null or l.at >= ${startsAt} and l.at < ${endsAt})
        ${balances?.deposits === null ? sql`` : withoutDeposits}) of_day
    group by status, minor_digits, fee_digits`.execute(database);
  return rows.map(({ amount, fee, ...sum }) => ({
    ...sum,
    amount: BigInt(amount ?? 0),
    fee: fee === null ? null : BigInt(fee),
  }));
}
