-- Assigns many payouts to a user in one action, as migration 0083 does other actions. The preview stores the assignee that each payout
-- has, so that an assignment by somebody else is not overwritten.
-- Breaks older code: no.

alter table payout_actions drop constraint payout_actions_action_check;
alter table payout_actions add constraint payout_actions_action_check
  check (action in ('query', 'hold_back', 'release', 'cancel', 'resolve', 'assign'));
-- An assignment needs no reason.
alter table payout_actions drop constraint payout_actions_check;
alter table payout_actions add constraint payout_actions_check
  check ((state = 'previewed') = (applied_at is null) and ((state = 'previewed') = (reason is null) or action = 'assign'));
alter table payout_actions add column assignees jsonb; -- number of qualifying payouts by assignee; null: not an assignment
alter table payout_actions add column assigned_to text references users; -- of an applied assignment; null: nobody
alter table payout_actions add constraint payout_actions_assignment
  check ((action = 'assign') = (assignees is not null) and (action = 'assign' or assigned_to is null));

alter table payout_action_rows add column assignee text; -- at the time of the preview; only for an assignment

-- As in migration 0083, with the assignees.
create or replace function check_payout_action() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  was text := old.state || ' ' || new.state;
begin
  if (new.id, new.action, new.selection, new.created_by, new.created_at, new.expires_at, new.selected, new.qualifying, new.excluded,
        new.assignees)
      is distinct from
     (old.id, old.action, old.selection, old.created_by, old.created_at, old.expires_at, old.selected, old.qualifying, old.excluded,
        old.assignees)
      or was not in ('previewed applied', 'previewed proposed', 'proposed applied', 'proposed rejected')
      or (was = 'previewed applied') = (old.action = 'resolve')
      or (old.state = 'proposed' and (new.reason, new.applied_at) is distinct from (old.reason, old.applied_at)) then
    raise exception 'action % is applied once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  if was = 'proposed applied' then
    perform check_resolution_decider('action ' || old.id, case when new.decided_by like 'cli:%' then 'alone' else 'agreed' end,
      new.decided_by, old.created_by);
  end if;
  return new;
end $$;
