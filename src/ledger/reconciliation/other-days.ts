import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { noCode } from "#reconciliation/records.ts";

/** Codes whose comparison on other days has to be repeated. */
export interface CodeKeys {
  /** The codes, and for each payout the code of a line that has only its gateway number. */
  readonly codes: readonly string[];
  /** The payouts of the lane with these codes. */
  readonly payoutIds: readonly number[];
}

/** Finds the payouts of a lane with these codes, and the codes of lines about them. */
export async function findCodeKeys(
  database: Database,
  lane: string,
  codes: readonly string[],
): Promise<CodeKeys> {
  const { rows } = await sql<{ id: number; code: string; number: string | null }>`
    select p.id, d.transaction_code as code, p.gateway_number as number
    from payout_details d join payouts p on p.id = d.payout_id
    where p.lane = ${lane} and d.transaction_code = any (${[...codes]}::text[])
    union
    select p.id, d.transaction_code, p.gateway_number
    from payouts p join payout_details d on d.payout_id = p.id
    where p.lane = ${lane} and p.gateway_number = any (
      select substr(c, 2) from unnest(${[...codes]}::text[]) c where c like '#%')`.execute(
    database,
  );
  const known = rows.flatMap(({ code, number }) =>
    number === null ? [code] : [code, noCode(number)],
  );
  return { codes: [...new Set([...codes, ...known])], payoutIds: rows.map(({ id }) => id) };
}

/** Returns the codes of the payouts that an action has resolved, by lane. */
export async function findResolvedCodes(
  database: Database,
  actionId: string,
): Promise<readonly { readonly lane: string; readonly codes: readonly string[] }[]> {
  const { rows } = await sql<{ lane: string; codes: string[] }>`
    select p.lane, array_agg(d.transaction_code order by d.transaction_code) as codes
    from payout_action_outcomes o
      join payouts p on p.id = o.payout_id
      join payout_details d on d.payout_id = o.payout_id
    where o.action_id = ${actionId} and o.outcome = 'changed' and p.state = 'resolved'
    group by p.lane
    order by p.lane`.execute(database);
  return rows;
}

/** Maximum duration of a transaction in minutes. A comparison does not see those in progress. */
const UNSEEN_MINUTES = 5;

/**
 * Returns the codes of a day that may compare differently than before: those of its unresolved
 * breaks, and those of payouts that have settled, came back or were resolved on it since the
 * comparison.
 */
export async function findLateCodes(
  database: Database,
  statementId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ code: string }>`
    with compared as (
      select lane, day, starts_at, ends_at,
        greatest(starts_at, compared_at - make_interval(mins => ${UNSEEN_MINUTES})) as since
      from statements where id = ${statementId}
    )
    select b.code from compared c join breaks b on b.lane = c.lane and b.day = c.day
    where b.state in ('open', 'proposed') and b.class <> 'unexplained_movement'
    union
    select d.transaction_code
    from compared c
      join transitions t on t.at >= c.since and t.at < c.ends_at
      join payouts p on p.id = t.payout_id and p.lane = c.lane
      join payout_details d on d.payout_id = p.id
    where t.to_state in ('settled', 'returned') or t.event = 'resolve'
    order by 1`.execute(database);
  return rows.map(({ code }) => code);
}

/** Finds the other compared statements of a lane on which these codes are listed or expected. */
export async function findStatementsOfCodes(
  database: Database,
  { lane, statementId }: { readonly lane: string; readonly statementId: string },
  { codes, payoutIds }: CodeKeys,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from statements s
    where s.lane = ${lane} and s.state = 'current' and s.compared_at is not null
      and s.id <> ${statementId} and s.id in (
        select l.statement_id from statement_lines l where l.code = any (${[...codes]}::text[])
        union
        select o.id from transitions t
          join statements o on o.lane = ${lane} and t.at >= o.starts_at and t.at < o.ends_at
        where t.payout_id = any (${[...payoutIds]}::bigint[]) and t.to_state in ('settled', 'resolved', 'returned'))
    order by s.day`.execute(database);
  return rows.map(({ id }) => id);
}

/** Returns the next codes of replaced statements of a day that matter to other days. */
export async function findReplacedCodes(
  database: Database,
  { lane, day }: { readonly lane: string; readonly day: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ code: string }>`
    select distinct l.code from statements s join statement_lines l on l.statement_id = s.id
    where s.lane = ${lane} and s.day = ${day}::date and s.state = 'replaced'
      and s.compared_at is not null and l.code > ${after} and (
        exists (select from statement_lines o join statements c on c.id = o.statement_id
          where o.code = l.code and c.lane = s.lane and c.state = 'current' and c.day <> s.day)
        or l.code like '#%'
        or exists (select from payout_details d where d.transaction_code = l.code collate "default"
          and (not exists (select from transitions t where t.payout_id = d.payout_id
              and t.to_state in ('settled', 'resolved') and t.at >= s.starts_at and t.at < s.ends_at)
            or exists (select from transitions t where t.payout_id = d.payout_id and t.to_state = 'returned'))))
    order by l.code
    limit ${limit}`.execute(database);
  return rows.map(({ code }) => code);
}

/** The other current statements of a lane. */
export interface OtherStatements {
  readonly exist: boolean;
  /** Whether one has lines without a transaction code. Most statements have none. */
  readonly haveLinesWithoutCode: boolean;
}

/** Finds out what a comparison must search for in the other current statements of a lane. */
export async function findOtherStatements(
  database: Database,
  { lane, statementId }: { readonly lane: string; readonly statementId: string },
): Promise<OtherStatements> {
  const others = sql`s.lane = ${lane} and s.state = 'current' and s.id <> ${statementId}`;
  const { rows } = await sql<OtherStatements>`
    select exists (select from statements s where ${others}) as exist,
      exists (
        select from (select statement_id from statement_lines where code >= '#' and code < '$' offset 0) l
          join statements s on s.id = l.statement_id
        where ${others}) as "haveLinesWithoutCode"`.execute(database);
  return rows[0] ?? { exist: true, haveLinesWithoutCode: true };
}
