-- A payout that settled around midnight counts on the business day whose statement lists it as completed (docs/decisions/0135).
-- Breaks older code: no, but it counts such a payout on the day of its settlement. Close no days with older processes.

create table counted_days (
  payout_id    bigint not null,
  lane         text not null,
  day          date not null,               -- on which the payout counts
  settled_at   timestamptz not null,        -- payouts.settled_at; a later settlement counts on its own day
  statement_id text not null references statements,
  at           timestamptz not null default now(),
  ended_at     timestamptz                  -- when a comparison no longer found it; null: the row counts
);
-- A payout counts on one day.
create unique index counted_days_of_payout on counted_days (payout_id) where ended_at is null;
create index counted_days_of on counted_days (lane, day) where ended_at is null;
create trigger kept before delete or truncate on counted_days for each statement execute function refuse_change();

create function check_counted_day() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if old.ended_at is not null or new.ended_at is null
      or (new.payout_id, new.lane, new.day, new.settled_at, new.statement_id, new.at)
        is distinct from (old.payout_id, old.lane, old.day, old.settled_at, old.statement_id, old.at) then
    raise exception 'the counted day of payout % is not edited', old.payout_id
      using errcode = 'restrict_violation', constraint = 'counted_day_kept';
  end if;
  return new;
end $$;
create trigger checked before update on counted_days for each row execute function check_counted_day();

-- Both days change: the one on which the payout counts, and the one on which it settled.
create function reopen_counted_days() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  perform reopen_day(new.lane, of_day, 'statement', new.statement_id, 'payrun')
  from (values (new.day), (closed_day(new.lane, new.settled_at))) days (of_day)
  where of_day is not null;
  return null;
end $$;
create trigger reopens after insert or update on counted_days for each row execute function reopen_counted_days();

-- The closed or closing day on which a settled payout counts, or null.
create function closed_day_of(payout bigint, of_lane text, settled timestamptz) returns date language sql stable
set search_path = pg_catalog, payrun, pg_temp as $$
  select coalesce(
    (select day from counted_days where payout_id = payout and ended_at is null and settled_at = settled),
    closed_day(of_lane, settled))
$$;

create or replace function reopen_days_of_payout() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  perform reopen_day(new.lane, of_day, case when old.settled_at is distinct from new.settled_at then 'settlement' else 'fee' end,
    (select transaction_code from payout_details where payout_id = new.id), 'payrun')
  from (select closed_day_of(new.id, new.lane, new.settled_at) as of_day
    union
    select closed_day(new.lane, at) from transitions where payout_id = new.id and event = 'resolve' and new.settled_at is null) days
  where of_day is not null;
  return null;
end $$;

create or replace function reopen_days_of_result() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  payout payouts%rowtype;
begin
  select * into payout from payouts where id = new.payout_id;
  perform share_day_lock(payout.lane);
  perform reopen_day(payout.lane, of_day, case new.event when 'return' then 'return' else 'resolution' end,
    (select transaction_code from payout_details where payout_id = payout.id), 'payrun')
  from (select closed_day(payout.lane, new.at) as of_day
    union
    select closed_day_of(payout.id, payout.lane, payout.settled_at)) days
  where of_day is not null;
  return null;
end $$;
