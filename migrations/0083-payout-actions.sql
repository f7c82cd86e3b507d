-- Actions on many payouts at once: the preview with exactly the selected payouts, and what applying it did to each payout.
-- An unsent payout of an approved batch can be held back, and then released or cancelled. And a payout in doubt can be resolved
-- without going on hold first.
-- Breaks older code: yes, it does not know the state `held_back`. Stop older processes first.

create table payout_actions (
  id           text primary key,
  action       text not null check (action in ('query', 'hold_back', 'release', 'cancel', 'resolve')),
  selection    jsonb not null,              -- names of the filters, or the number of codes
  created_by   text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  selected     integer not null,
  qualifying   jsonb not null,              -- count and totals by currency
  excluded     jsonb not null,              -- counts by reason
  state        text not null default 'previewed' check (state in ('previewed', 'proposed', 'applied', 'rejected')),
  reason       text,                        -- given when it was applied
  applied_at   timestamptz,
  decided_by   text,                        -- only a resolution
  decided_at   timestamptz,
  decision     text,                        -- reason of a rejection
  changed      jsonb,                       -- count and totals by currency
  left_out     jsonb,                       -- counts by reason
  digest       text,                        -- SHA-256 of the list of changed payouts
  check ((state = 'previewed') = (applied_at is null) and (state = 'previewed') = (reason is null)),
  check ((state = 'applied') = (digest is not null))
);
create index payout_actions_proposed on payout_actions (created_at) where state = 'proposed';
create trigger kept before delete or truncate on payout_actions for each statement execute function refuse_change();

create table payout_action_rows (
  action_id text not null,                  -- no foreign key: its check would cost as much as the insert
  payout_id bigint not null,
  seq       integer not null,               -- of the payout at the time of the preview
  state     text not null,
  excluded  text,                           -- why the action does not apply to it; null: it qualifies
  finding   text check (finding in ('arrived', 'not_arrived')), -- only for a resolution
  evidence  text,
  primary key (action_id, payout_id)
);
create trigger append_only before update or delete or truncate on payout_action_rows for each statement execute function refuse_change();

-- The primary key permits one outcome for each payout.
create table payout_action_outcomes (
  action_id text not null,
  payout_id bigint not null,
  outcome   text not null,                  -- 'changed', or why it was left
  primary key (action_id, payout_id)
);
create trigger append_only before update or delete or truncate on payout_action_outcomes for each statement execute function refuse_change();

create function check_payout_action() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  was text := old.state || ' ' || new.state;
begin
  if (new.id, new.action, new.selection, new.created_by, new.created_at, new.expires_at, new.selected, new.qualifying, new.excluded)
      is distinct from
     (old.id, old.action, old.selection, old.created_by, old.created_at, old.expires_at, old.selected, old.qualifying, old.excluded)
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
create trigger applied before update on payout_actions for each row execute function check_payout_action();

alter table payout_resolutions add column action_id text references payout_actions;
create index payout_resolutions_of_action on payout_resolutions (action_id) where action_id is not null;
-- Each resolved payout is checked against these.
create index payout_resolutions_decided on payout_resolutions (payout_id, seq) where outcome in ('agreed', 'alone');

-- As in migration 0053, with the action.
create or replace function check_payout_resolution() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.finding, new.evidence, new.proposed_by, new.at, new.action_id)
        is distinct from
         (old.id, old.payout_id, old.seq, old.finding, old.evidence, old.proposed_by, old.at, old.action_id) then
    raise exception 'resolution % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('resolution ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;

drop trigger lifecycle on payouts;
-- As in migration 0073, with held_back: test/ledger/store/lifecycle-rules.test.ts compares this list with the code.
create trigger lifecycle before update on payouts for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'awaiting_approval approved', 'awaiting_approval cancelled', 'awaiting_approval on_hold',
    'approved cancelled', 'approved submitting', 'approved accepted', 'approved on_hold', 'approved held_back',
    'held_back approved', 'held_back cancelled', 'held_back accepted', 'held_back on_hold',
    'submitting approved', 'submitting in_doubt', 'submitting accepted', 'submitting declined', 'submitting on_hold',
    'in_doubt submitting', 'in_doubt accepted', 'in_doubt declined', 'in_doubt settled', 'in_doubt on_hold', 'in_doubt resolved',
    'accepted declined', 'accepted settled', 'accepted on_hold',
    'settled on_hold', 'settled returned', 'declined on_hold', 'returned on_hold', 'on_hold resolved', 'resolved on_hold']))
  execute function refuse_move();

create index payouts_held_back on payouts (batch_id, lane, line) where state = 'held_back';

-- As in migration 0051: a new function has no search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
