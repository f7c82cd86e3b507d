-- A bulk action confirms up to 100,000 resolutions in one statement. Two checks ran a function for each row. An edit of a resolution is
-- now recognised by the condition of its trigger, and the confirmed resolutions of a statement are searched for together.
-- Breaks older code: no.

-- check_payout_resolution checks the same again, and raises the error.
drop trigger decided on payout_resolutions;
create trigger decided before update on payout_resolutions for each row
  when (old.outcome is not null or new.outcome is null
    or (new.id, new.payout_id, new.seq, new.finding, new.evidence, new.proposed_by, new.at, new.action_id)
      is distinct from
       (old.id, old.payout_id, old.seq, old.finding, old.evidence, old.proposed_by, old.at, old.action_id))
  execute function check_payout_resolution();

-- Replaces check_payout_resolved. Each transition raises the sequence number by one, so a resolved payout has a resolution of the
-- number before. One search of the index for each row, whatever the plan was made for: joined with all resolutions, 100,000 rows
-- would take minutes.
create function check_payouts_resolved() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  payout bigint;
begin
  select id into payout
  from changed
  where state = 'resolved'
    and case
      when (
        select r.id from payout_resolutions r
        where r.payout_id = changed.id and r.seq = changed.seq - 1 and r.outcome in ('agreed', 'alone')
        limit 1) is null
      -- It was resolved before, and only its fee or the like changed.
      then (select state from previous where previous.id = changed.id) <> 'resolved'
      else false
    end
  limit 1;
  if found then
    raise exception 'payout % is resolved without a confirmed resolution', payout
      using errcode = 'restrict_violation', constraint = 'payout_resolved_by_two';
  end if;
  return null;
end $$;
drop trigger resolved on payouts;
drop function check_payout_resolved();
create trigger resolved after update on payouts referencing old table as previous new table as changed for each statement execute function check_payouts_resolved();
