import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakClass, FoundBreak } from "#reconciliation/break-classes.ts";
import { CLOSING_BALANCE } from "#reconciliation/day-close.ts";

/** The comparison that found breaks. */
export interface ComparedDay {
  readonly lane: string;
  readonly day: string;
  readonly statementId: string;
  /** ID of the comparison. */
  readonly comparison: string;
  readonly actor: string;
}

/** A comparison that may be without a statement: the balance of a closed day was queried. */
export type ComparedBalance = Omit<ComparedDay, "statementId"> & {
  readonly statementId: string | null;
};

const withoutResults = (text: string) =>
  sql`regexp_replace(${sql.ref(text)}, '(^|; )[a-z_]+, ', '\\1', 'g')`;

/**
 * Whether a resolved break `b` of an amount differs from the found one `f` only in results. Results
 * have breaks of their own, so the resolution stays, with the texts that both people saw.
 */
const HAS_OTHER_RESULTS_ONLY = sql`(b.state = 'resolved' and b.class = 'amount'
  and (b.payout_id, b.basis, ${withoutResults("b.ledger_shows")}, ${withoutResults("b.statement_shows")})
    is not distinct from
    (f.payout_id, f.basis, ${withoutResults("f.ledger_shows")}, ${withoutResults("f.statement_shows")}))`;

const IS_CHANGED = sql`(b.id in (select id from known where is_changed))`;

/**
 * Stores breaks of a day, each once. A known break keeps its state and its assignee, unless its
 * values have changed or it had been closed: then it is open again, and its history has the values
 * from before. Returns the resolved breaks that are open again.
 */
export async function storeBreaks(
  transaction: Database,
  { lane, day, statementId, comparison, actor }: ComparedBalance,
  found: readonly FoundBreak[],
): Promise<readonly number[]> {
  const column = (text: (each: FoundBreak) => string | number | null) => found.map(text);
  const { rows } = await sql<{ id: number }>`
    with found as (
      select f.*, string_to_array(f.line_texts, ',')::integer[] as lines from unnest(
        ${column((each) => each.class)}::text[], ${column(({ code }) => code)}::text[],
        ${column(({ payoutId }) => payoutId)}::bigint[], ${column(({ lines }) => lines.join(","))}::text[],
        ${column(({ ledger }) => ledger)}::text[], ${column(({ statement }) => statement)}::text[],
        ${column(({ basis }) => basis)}::text[])
        as f (class, code, payout_id, line_texts, ledger_shows, statement_shows, basis)
    ),
    known as (
      select b.id, b.class, b.code, b.state, b.ledger_shows, b.statement_shows,
        b.state = 'closed' or (b.payout_id, b.ledger_shows, b.statement_shows, b.basis)
          is distinct from (f.payout_id, f.ledger_shows, f.statement_shows, f.basis)
          and not ${HAS_OTHER_RESULTS_ONLY} as is_changed
      from breaks b join found f on f.class = b.class and f.code = b.code
      where b.lane = ${lane} and b.day = ${day}::date
      order by b.id
      for update of b
    ),
    stored as (
      insert into breaks as b (lane, day, class, code, payout_id, statement_id, lines, ledger_shows,
        statement_shows, basis, comparison)
      select ${lane}, ${day}::date, f.class, f.code, f.payout_id, ${statementId}, f.lines,
        f.ledger_shows, f.statement_shows, f.basis, ${comparison}
      from found f
      on conflict (lane, day, class, code) do update
      set payout_id = excluded.payout_id, statement_id = excluded.statement_id,
        lines = excluded.lines, basis = excluded.basis, comparison = excluded.comparison,
        ledger_shows = case when ${IS_CHANGED} then excluded.ledger_shows else b.ledger_shows end,
        statement_shows = case when ${IS_CHANGED} then excluded.statement_shows
          else b.statement_shows end,
        state = case when ${IS_CHANGED} then 'open' else b.state end,
        version = b.version + ${IS_CHANGED}::integer
      returning b.id
    ),
    recorded as (
      insert into break_events (break_id, event, actor, text)
      select id, 'found', ${actor}, '' from stored where id not in (select id from known)
      union all
      select id, case when state = 'closed' then 'found_again' else 'changed' end, ${actor},
        'Before: the ledger showed ' || coalesce(ledger_shows, 'nothing') || ', the statement '
          || coalesce(statement_shows, 'nothing') || '.'
      from known where is_changed
    )
    select id from known where is_changed and state = 'resolved' order by id`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** The breaks that a comparison could have found. */
export interface Compared {
  /** Classes for which the statement has values. */
  readonly classes: readonly BreakClass[];
  /** Null: all codes, but not the closing balance, which the close of the day compares. */
  readonly codes: readonly string[] | null;
}

/** Closes the breaks of a day that its comparison has not found. Returns how many. */
export async function closeGoneBreaks(
  transaction: Database,
  { lane, day, comparison, actor }: Omit<ComparedDay, "statementId">,
  { classes, codes }: Compared,
): Promise<number> {
  const ofCodes =
    codes === null
      ? sql`and code <> ${CLOSING_BALANCE}`
      : sql`and code = any (${[...codes]}::text[])`;
  const { rows } = await sql`
    with gone as (
      update breaks set state = 'closed'
      where lane = ${lane} and day = ${day}::date and state in ('open', 'proposed')
        and comparison <> ${comparison} and class = any (${[...classes]}::text[]) ${ofCodes}
      returning id
    )
    insert into break_events (break_id, event, actor, text)
    select id, 'closed', ${actor}, 'The last comparison no longer finds this difference.' from gone
    returning break_id`.execute(transaction);
  return rows.length;
}
