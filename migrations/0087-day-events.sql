-- Closed and reopened days are events of the ledger; webhooks get them from there. Rows may be corrected again before anyone has
-- decided about the quarantine of their batch: only a decision stays.
-- Breaks older code: no, but it sends some messages about days in the earlier form too. Stop older processes first.

create function queue_day_event() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  insert into unpublished_events (type, seq, at) values (tg_argv[0], new.id, new.at);
  return null;
end $$;
create trigger event after insert on day_closes for each row execute function queue_day_event('day_closed');
create trigger event after insert on day_reopenings for each row execute function queue_day_event('day_reopened');

-- Days without a message so far. Webhooks have received the others in the earlier form.
insert into unpublished_events (type, seq, at)
select type, seq, at
from (
  select 'day_closed' as type, id as seq, at, 'day_closed ' || id as key from day_closes
  union all
  select 'day_reopened', id, at, 'day_reopened ' || close_id from day_reopenings
) days
where at > now() - interval '1 day'
  and not exists (select from notices where notices.key = days.key)
order by at, type, seq;

create or replace function check_released() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if old.decision = 'released' or (new.decision is null and old.decision is not null)
      or (new.batch_id, new.cause, new.lost_batch) is distinct from (old.batch_id, old.cause, old.lost_batch) then
    raise exception 'a decision about the quarantine of batch % stays', old.batch_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
