-- A result of a payout reopens the days that it changes, as in migration 0086. Of 100,000 results that a statement confirms at once,
-- hardly any touches a closed day, so a cheap question comes first, as in migration 0099: the functions that it saves are planned
-- again for each call.
-- Breaks older code: no.

create or replace function reopen_days_of_result() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  payout payouts%rowtype;
begin
  select * into payout from payouts where id = new.payout_id;
  -- As in share_day_lock.
  perform pg_advisory_xact_lock_shared(hashtext('payrun close ' || payout.lane));
  if not exists (select from day_closes where lane = payout.lane and ends_at > least(new.at, payout.settled_at))
      and not exists (select from closing_days where lane = payout.lane and ends_at > least(new.at, payout.settled_at))
      and not exists (select from counted_days where payout_id = payout.id and ended_at is null) then
    return null;
  end if;
  perform reopen_day(payout.lane, of_day, case new.event when 'return' then 'return' else 'resolution' end,
    (select transaction_code from payout_details where payout_id = payout.id), 'payrun')
  from (select closed_day(payout.lane, new.at) as of_day
    union
    select closed_day_of(payout.id, payout.lane, payout.settled_at)) days
  where of_day is not null;
  return null;
end $$;
