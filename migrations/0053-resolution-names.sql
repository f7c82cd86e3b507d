-- New names of the tables and columns of manual resolutions: payout_resolutions (before: payout_closings) and
-- deposit_resolutions (deposit_closings), each with `evidence` (`words`), and wait_endings with `reason` (`words`).
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

drop trigger decided on payout_closings;
drop trigger decided on deposit_closings;
drop trigger decided on wait_endings;
drop function check_payout_closing();
drop function check_closing();

alter table payout_closings rename to payout_resolutions;
alter table payout_resolutions rename column words to evidence;
alter index payout_closings_open rename to payout_resolutions_open;
alter index payout_closings_pkey rename to payout_resolutions_pkey;
alter sequence payout_closings_id_seq rename to payout_resolutions_id_seq;
alter table payout_resolutions rename constraint payout_closings_finding_check to payout_resolutions_finding_check;
alter table payout_resolutions rename constraint payout_closings_outcome_check to payout_resolutions_outcome_check;
alter table payout_resolutions rename constraint payout_closings_check to payout_resolutions_check;

alter table deposit_closings rename to deposit_resolutions;
alter table deposit_resolutions rename column words to evidence;
alter index deposit_closings_open rename to deposit_resolutions_open;
alter index deposit_closings_pkey rename to deposit_resolutions_pkey;
alter sequence deposit_closings_id_seq rename to deposit_resolutions_id_seq;
alter table deposit_resolutions drop constraint deposit_closings_finding_check;
alter table deposit_resolutions drop constraint deposit_closings_check;
alter table deposit_resolutions rename constraint deposit_closings_check1 to deposit_resolutions_check;
alter table deposit_resolutions rename constraint deposit_closings_amount_minor_check to deposit_resolutions_amount_minor_check;
alter table deposit_resolutions rename constraint deposit_closings_outcome_check to deposit_resolutions_outcome_check;
alter table deposit_resolutions rename constraint deposit_closings_deposit_id_fkey to deposit_resolutions_deposit_id_fkey;
update deposit_resolutions set finding = case finding when 'came_in' then 'received' else 'not_received' end;
alter table deposit_resolutions
  add constraint deposit_resolutions_finding_check check (finding in ('received', 'not_received')),
  add constraint deposit_resolutions_amount_check check ((finding = 'received') = (amount_minor is not null));

alter table wait_endings rename column words to reason;

-- As in migrations 0028, 0030 and 0044, with the new names.
create function check_payout_resolution() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.finding, new.evidence, new.proposed_by, new.at)
        is distinct from (old.id, old.payout_id, old.seq, old.finding, old.evidence, old.proposed_by, old.at) then
    raise exception 'resolution % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('resolution ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;
create function check_deposit_resolution() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.deposit_id, new.seq, new.finding, new.amount_minor, new.evidence, new.proposed_by, new.at)
        is distinct from
         (old.id, old.deposit_id, old.seq, old.finding, old.amount_minor, old.evidence, old.proposed_by, old.at) then
    raise exception 'resolution % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('resolution ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;
create function check_resolution_decider(name text, outcome text, decided_by text, proposed_by text)
returns void language plpgsql as $$
begin
  if outcome = 'agreed' then
    if decided_by not like 'user:%' or stands_behind(substr(decided_by, 6), proposed_by) then
      raise exception '% is confirmed by another person', name
        using errcode = 'restrict_violation', constraint = 'resolution_by_another';
    end if;
    if not exists (select from users where 'user:' || id = decided_by and disabled_at is null
        and 'approver' = any (roles)) then
      raise exception '% is confirmed by an approver', name
        using errcode = 'restrict_violation', constraint = 'resolution_by_approver';
    end if;
  end if;
  -- On the command line of a ledger without anybody who could agree.
  if outcome = 'alone' and (proposed_by not like 'cli:%'
      or exists (select from users where disabled_at is null and 'approver' = any (roles))) then
    raise exception '% can be confirmed by another person', name
      using errcode = 'restrict_violation', constraint = 'resolution_by_another';
  end if;
end $$;
create trigger decided before update on payout_resolutions for each row execute function check_payout_resolution();
create trigger decided before update on deposit_resolutions for each row execute function check_deposit_resolution();

create or replace function check_wait_ending() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.outcome is not null then
      raise exception 'the end of a wait is proposed before it is decided'
        using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
    end if;
    return new;
  end if;
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.reason, new.proposed_by, new.at)
        is distinct from (old.id, old.payout_id, old.seq, old.reason, old.proposed_by, old.at) then
    raise exception 'the end of wait % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('the end of wait ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;
create trigger decided before insert or update on wait_endings for each row execute function check_wait_ending();

create or replace function check_payout_resolved() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_resolutions where payout_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'payout % is resolved without a confirmed resolution', new.id
      using errcode = 'restrict_violation', constraint = 'payout_resolved_by_two';
  end if;
  return new;
end $$;
create or replace function check_deposit_resolved() returns trigger language plpgsql as $$
begin
  if not exists (select from deposit_resolutions where deposit_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'deposit % is resolved without a confirmed resolution', new.transaction_code
      using errcode = 'restrict_violation', constraint = 'deposit_resolved_by_two';
  end if;
  return new;
end $$;

-- As in migration 0051, for the new functions.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
