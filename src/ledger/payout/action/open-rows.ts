import { sql } from "kysely";

/** Counts payouts by reason and currency, as one JSON value. */
export const TOTALS = sql`
  select json_agg(totals) from (
    select reason, currency, minor_digits, count(*)::int as count, sum(amount_minor)::text as amount_minor
    from locked_payouts group by 1, 2, 3 order by 2, 1) totals`;

/** The previewed payouts of an action whose outcome is still open. */
export const OPEN_ROWS = sql`payout_action_rows previewed
        left join payout_action_outcomes o
          on o.action_id = previewed.action_id and o.payout_id = previewed.payout_id`;
/** Condition for the rows of one action. */
export const isOpenRow = (id: string) => sql`previewed.action_id = ${id}
        and previewed.excluded is null
        and o.payout_id is null`;
