-- Marks a failed occurrence whose file is still in its folder, because it has no column for the currency and the schedule names none.
-- The source of a schedule may name the currency.
-- Also plans archive_obstacle once for each connection: as a function in SQL, it was planned for each batch, which took 5 ms.
-- Counts the expired rows of all batches together.
-- Breaks older code: no, but it drops the setting when it edits a schedule. Stop older processes first.

alter table occurrences add column lacks_currency boolean not null default false;

create or replace function archive_obstacle(batch text, before timestamptz) returns text
  language plpgsql stable set search_path = pg_catalog, payrun, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select case
      when b.state not in ('finished', 'finished_with_exceptions', 'cancelled') then 'not_finished'
      when exists (select from payout_counts where batch_id = batch
          and state not in ('settled', 'declined', 'returned', 'resolved', 'cancelled')
          group by state having sum(payouts) > 0) then 'open_payouts'
      when coalesce(b.finished_at, b.updated_at) >= before or exists (
          select from payouts p where p.batch_id = batch and p.id between b.first_id and b.last_id and p.updated_at >= before) then 'recent'
      when exists (
          select from payouts p where p.batch_id = batch and p.id between b.first_id and b.last_id
            and (p.double_payment_check_at is not null or (p.state = 'settled' and p.status_answer = 'returned'))) then 'open_query'
      when exists (
          select from payouts p
            join opening_balances o on o.lane = p.lane
          where p.batch_id = batch and p.id between b.first_id and b.last_id
            and p.settled_at >= coalesce((select min(starts_at) from day_closes where lane = p.lane), o.day::timestamp at time zone o.zone)
            and not exists (
              select from day_closes c where c.lane = p.lane and c.starts_at <= p.settled_at and c.ends_at > p.settled_at
                and not exists (select from day_reopenings r where r.close_id = c.id))) then 'open_day'
      when exists (
          select from breaks k join payouts p on p.id = k.payout_id
          where k.state in ('open', 'proposed') and p.batch_id = batch) then 'open_break'
      when exists (
          select from payout_resolutions r join payouts p on p.id = r.payout_id where r.outcome is null and p.batch_id = batch
          union all
          select from wait_endings w join payouts p on p.id = w.payout_id where w.outcome is null and p.batch_id = batch) then 'open_proposal'
      when exists (
          select from comments c cross join unnest(c.mentions) m
          where c.batch_id = batch and not exists (
            select from comment_reads r
            where r.user_id = m and r.number >= c.number and r.object = coalesce(
              (select d.transaction_code from payout_details d where d.payout_id = c.payout_id), c.batch_id))
          and exists (select from users u where u.id = m and u.disabled_at is null)) then 'unread_mention'
      when exists (
          select from retry_batches r join batches o on o.id in (r.batch_id, r.parent_id)
          where batch in (r.parent_id, r.batch_id) and o.state not in ('finished', 'finished_with_exceptions', 'cancelled')) then 'open_retry'
      when exists (
          select from unpublished_events u where u.batch_id = batch
          union all
          select from unpublished_events u join payouts p on p.id = u.payout_id where p.batch_id = batch) then 'open_event'
    end
    from batches b where b.id = batch);
end $$;

create or replace function delete_expired(kind text, rows_max integer, only_count boolean) returns bigint language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  before timestamptz := payrun.retention_before(kind);
  target text;
  total bigint := 0;
  done bigint;
  batch text;
  ready text[];
begin
  if before is null then return 0; end if;
  if kind = 'rejected_rows' then
    if only_count then
      ready := array(
        select b.id from payrun.batches b
        where coalesce(b.finished_at, b.updated_at) < before
          and b.state in ('finished', 'finished_with_exceptions', 'cancelled')
          and (exists (select from payrun.rejected_rows where batch_id = b.id)
            or exists (select from payrun.warned_rows where batch_id = b.id)
            or exists (select from payrun.row_findings where batch_id = b.id))
          and payrun.archive_obstacle(b.id, before) is null);
      return (select count(*) from payrun.rejected_rows where batch_id = any(ready))
        + (select count(*) from payrun.warned_rows where batch_id = any(ready))
        + (select count(*) from payrun.row_findings where batch_id = any(ready));
    end if;
    for batch in
      select b.id from payrun.batches b
      where coalesce(b.finished_at, b.updated_at) < before
        and b.state in ('finished', 'finished_with_exceptions', 'cancelled')
        and (exists (select from payrun.rejected_rows where batch_id = b.id)
          or exists (select from payrun.warned_rows where batch_id = b.id)
          or exists (select from payrun.row_findings where batch_id = b.id))
      order by b.id
    loop
      exit when total >= rows_max;
      continue when payrun.archive_obstacle(batch, before) is not null;
      foreach target in array array['rejected_rows', 'warned_rows', 'row_findings'] loop
        execute format('delete from payrun.%I where ctid = any(array(select ctid from payrun.%I where batch_id = $1 limit $2))',
          target, target) using batch, greatest(rows_max - total, 0);
        get diagnostics done = row_count;
        total := total + done;
      end loop;
    end loop;
    return total;
  end if;
  target := case kind
    when 'deliveries' then 'deliveries x where x.state <> ''waiting'' and x.updated_at < $1'
    when 'notifications' then 'inbox x where x.read_at < $1'
    when 'sessions' then 'sessions x where coalesce(x.ended_at, x.expires_at) < $1
      and not exists (select from payrun.approvals a where a.session_id = x.id)
      and exists (select from payrun.sessions n where n.user_id = x.user_id and (n.created_at, n.id) > (x.created_at, x.id))'
  end;
  if only_count then
    execute format('select count(*) from payrun.%s', target) into total using before;
  else
    execute format('delete from payrun.%s where ctid = any(array(select x.ctid from payrun.%s limit $2))',
      split_part(target, ' ', 1), target) using before, rows_max;
    get diagnostics total = row_count;
  end if;
  return total;
end $$;
