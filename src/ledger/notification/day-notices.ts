import { sql } from "kysely";
import { insertNotices } from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";
import { REOPENING_CAUSES } from "#reconciliation/day-close.ts";

const NOT_OBSERVED = "closed, balance not observed";
const DIFFERENCE = "closed with a difference";
const EQUAL = "closed, and the balances are equal";

/** Creates notices for business days that were closed or reopened in the last day. */
export async function createDayNotices(database: Database): Promise<void> {
  await sql`
    with noticed_facts as (
      select 'day_closed' as event, lane || ' ' || day as object,
        jsonb_build_object('lane', lane, 'day', day, 'version', version, 'state',
          case when observed_minor is null then ${NOT_OBSERVED} when observed_minor <> closing_minor then ${DIFFERENCE}
            else ${EQUAL} end) as facts,
        'day_closed ' || id as key
      from day_closes
      where at > now() - interval '1 day'
      union all
      select 'day_reopened', c.lane || ' ' || c.day,
        jsonb_build_object('lane', c.lane, 'day', c.day, 'version', c.version, 'cause', r.cause, 'object', r.object,
          'reason', ${JSON.stringify(REOPENING_CAUSES)}::jsonb ->> r.cause),
        'day_reopened ' || c.id
      from (select distinct on (close_id) * from day_reopenings where at > now() - interval '1 day'
        order by close_id, id) r join day_closes c on c.id = r.close_id
    ) ${insertNotices()}`.execute(database);
}
