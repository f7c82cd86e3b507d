import { sql } from "kysely";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { AT_GATEWAY, IN_DOUBT_SINCE, inMs } from "#ledger/store/tables.ts";

/** Events that one commit publishes. */
const PUBLISHED_MAX = 5_000;

/**
 * True for a further event about a version of a day that is reopened already. Two transactions that
 * do not see each other can both reopen it.
 */
const IS_REPEATED = sql`(
          next_events.type = 'day_reopened'
          and exists (
            select from day_reopenings
              join day_reopenings others
                on others.close_id = day_reopenings.close_id and others.id <> day_reopenings.id
            where day_reopenings.id = next_events.seq
              and (
                exists (
                  select from events where events.type = 'day_reopened' and events.seq = others.id
                )
                or exists (
                  select from next_events earlier
                  where earlier.type = 'day_reopened'
                    and earlier.seq = others.id
                    and earlier.id < next_events.id
                )
              )
          )
        )`;

/**
 * Gives the committed events the next numbers. Returns how many; 0 also if another process is
 * publishing.
 *
 * A consumer misses nothing: a number is assigned after the commit of its event and under a lock,
 * so numbers become visible in their order and without gaps. An event of a long transaction gets a
 * higher number than later events of other transactions, and does not delay these. Events of one
 * payout keep their order, because the payout's row is locked between them: the earlier one is
 * committed, with a lower ID, before the later one exists. A repeated event gets no number.
 */
export async function publishEvents(database: Database): Promise<number> {
  if (!(await hasUnpublishedEvents(database))) return 0;
  return inTransaction(database, async (transaction) => {
    const lock = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('payrun events')) as mine`.execute(transaction);
    if (!lock.rows[0]?.mine) return 0;
    // A statement of its own: it sees every event that the previous holder of the lock published.
    const { rows } = await sql<{ count: number }>`
      with
      next_events as (
        delete from unpublished_events
        where id in (select id from unpublished_events order by id limit ${PUBLISHED_MAX})
        returning *
      ),
      published_events as (
        insert into events (number, type, batch_id, payout_id, seq, at)
        select
          (select coalesce(max(number), 0) from events) + row_number() over (order by next_events.id),
          next_events.type, coalesce(next_events.batch_id, payouts.batch_id), next_events.payout_id,
          next_events.seq, next_events.at
        from next_events
          left join payouts on payouts.id = next_events.payout_id
        where not ${IS_REPEATED}
        returning number, batch_id
      ),
      -- Batches from a watched folder get a result file.
      changed_occurrences as (
        update occurrences
        set last_event = changed_batches.last_event
        from (
          select batch_id, max(number) as last_event from published_events group by batch_id
        ) changed_batches
        where occurrences.batch_id = changed_batches.batch_id
      )
      select count(*)::int as count
      from published_events`.execute(transaction);
    return rows[0]?.count ?? 0;
  });
}

/** Returns whether committed events have no numbers yet. */
export async function hasUnpublishedEvents(database: Database): Promise<boolean> {
  const { rows } = await sql`select from unpublished_events limit 1`.execute(database);
  return rows.length > 0;
}

/**
 * Queues an event for each payout that has been in doubt for too long, once until its outcome is
 * known, however often it is resent. One process at a time may call it.
 */
export async function queueInDoubtEvents(database: Database, tooLongMs: number): Promise<void> {
  await sql`
    insert into unpublished_events (type, payout_id, seq, at)
    select 'payout_in_doubt_too_long', id, seq, now()
    from payouts p
    where ${AT_GATEWAY}
      and state = 'in_doubt'
      and ${IN_DOUBT_SINCE} < now() - ${inMs(tooLongMs)}
      and not exists (
        select from events
        where type = 'payout_in_doubt_too_long' and payout_id = p.id
          and events.at >= ${IN_DOUBT_SINCE}
      )
      and not exists (
        select from unpublished_events
        where type = 'payout_in_doubt_too_long' and payout_id = p.id
          and unpublished_events.at >= ${IN_DOUBT_SINCE}
      )`.execute(database);
}
