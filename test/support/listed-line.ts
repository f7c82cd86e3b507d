import { query } from "./servers/postgres.ts";

let statements = 0;

/** Stores a current statement with one line about a payout, of a day of its own. */
export async function listOnStatementOf(
  url: string,
  code: string,
  status: string,
  {
    amountMinor,
    lineCode = code,
    number = null,
  }: { amountMinor?: number; lineCode?: string; number?: string | null } = {},
): Promise<string> {
  statements += 1;
  const id = `ST${statements}`;
  await query(
    url,
    `with payout as (
      select p.lane, p.currency, p.amount_minor, p.minor_digits from payouts p
      join payout_details d on d.payout_id = p.id where d.transaction_code = '${code}'),
    line as (
      insert into statement_lines (statement_id, line, code, gateway_number, currency, amount_minor, minor_digits, status, at)
      select '${id}', 2, '${lineCode}', ${number === null ? "null" : `'${number}'`}, currency,
        ${amountMinor ?? "amount_minor"}, minor_digits, '${status}', now() from payout)
    select from payout`,
  );
  await query(
    url,
    `insert into statements (id, lane, day, starts_at, ends_at, zone, minor_digits, mapping_version, digest,
      file_name, lines, actor, state)
    select '${id}', p.lane, date '2026-01-01' + ${statements}, now(), now() + interval '1 day', 'UTC', 2, 1,
      '${id}', 'day.csv', 1, 'cli:test', 'current'
    from payouts p join payout_details d on d.payout_id = p.id where d.transaction_code = '${code}'`,
  );
  return id;
}
