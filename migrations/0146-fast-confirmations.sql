-- A bulk action decides up to 100,000 resolutions in one statement. Whether their decider may decide depends on the outcome and the
-- two people alone, so it is checked once for each combination instead of once for each row. The statement still fails as a whole.
-- Breaks older code: no.

-- As in migration 0083, without the decider.
create or replace function check_payout_resolution() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.finding, new.evidence, new.proposed_by, new.at, new.action_id)
        is distinct from
         (old.id, old.payout_id, old.seq, old.finding, old.evidence, old.proposed_by, old.at, old.action_id) then
    raise exception 'resolution % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  return new;
end $$;

create function check_payout_resolution_deciders() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform check_resolution_decider('resolution ' || min(id), outcome, decided_by, proposed_by)
  from decided
  group by outcome, decided_by, proposed_by;
  return null;
end $$;
create trigger decided_by_another after update on payout_resolutions referencing new table as decided
  for each statement execute function check_payout_resolution_deciders();
