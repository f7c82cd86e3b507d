import { sql } from "kysely";
import {
  insertNotices,
  type PersonalNotices,
  UPLOADERS,
} from "#ledger/notification/insert-notices.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Creates notices for batches with payouts that were returned in the last week. The gateway may
 * return many at once, so a notice waits until no further one was returned for a minute, or for the
 * end of a period of 10 minutes. It has the totals of all returned payouts of its batch.
 */
export async function createReturnNotices(
  database: Database,
  { canMail }: Pick<PersonalNotices, "canMail">,
): Promise<void> {
  await sql`
    with
    recent_returns as (
      select
        batch_id,
        'batch_payouts_returned ' || batch_id || ' ' || extract(epoch from max(updated_at)) as key
      from (
        select batch_id, updated_at, max(updated_at) over (partition by batch_id) as latest
        from payouts
        where state = 'returned'
          and updated_at > now() - interval '7 days'
      ) returns
      where latest < now() - interval '1 minute'
        or updated_at < date_bin('10 minutes', now(), timestamptz 'epoch') - interval '1 minute'
      group by batch_id
    ),
    noticed_facts as (
      select
        'batch_payouts_returned' as event,
        batches.id as object,
        jsonb_build_object('file', batches.file_name, 'rows', returned.payouts, 'totals', returned.totals) as facts,
        recent_returns.key
      from recent_returns
        join batches on batches.id = recent_returns.batch_id
        cross join lateral (
          select sum(payouts) as payouts, jsonb_object_agg(currency, total) as totals
          from (
            -- A product of numerics keeps all digits, but a quotient does not.
            select
              currency,
              count(*) as payouts,
              round(sum(amount_minor) * 10::numeric ^ -max(minor_digits), max(minor_digits))::text as total
            from payouts
            where id between batches.first_id and batches.last_id
              and batch_id = batches.id
              and state = 'returned'
            group by currency
          ) sums
        ) returned
      -- A batch may be large, so its totals are only read for a new notice.
      where not exists (select from notices where notices.key = recent_returns.key)
    ) ${insertNotices({ userIds: UPLOADERS, canMail })}`.execute(database);
}
