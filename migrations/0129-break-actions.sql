-- Actions on several breaks at once: the preview with exactly the selected breaks, and the outcome of each break when the action was applied.
-- Breaks older code: no.

create table break_actions (
  id         text primary key,
  action     text not null check (action in ('assign', 'propose', 'confirm', 'reject')),
  selection  jsonb not null,                -- names of the filters, or the number of breaks
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  selected   integer not null,
  qualifying jsonb not null,                -- count and sums by class
  excluded   jsonb not null,                -- counts by reason
  applied_at timestamptz,                   -- null: nothing has changed yet
  changed    integer,
  left_out   jsonb,                         -- counts by reason
  check ((applied_at is null) = (changed is null) and (applied_at is null) = (left_out is null))
);
create index break_actions_previewed on break_actions (expires_at) where applied_at is null;
create trigger kept before truncate on break_actions for each statement execute function refuse_change();

create table break_action_rows (
  action_id text not null,
  break_id  bigint not null references breaks,
  version   integer not null,               -- at the time of the preview
  proposal  bigint,                         -- that waited for confirmation at the time of the preview
  excluded  text,                           -- why the action does not apply to it; null: it qualifies
  primary key (action_id, break_id)
);
create trigger append_only before update or truncate on break_action_rows for each statement execute function refuse_change();

-- The primary key permits one outcome for each break.
create table break_action_outcomes (
  action_id text not null references break_actions,
  break_id  bigint not null,
  outcome   text not null,                  -- 'changed', or why it was left
  primary key (action_id, break_id)
);
create trigger append_only before update or delete or truncate on break_action_outcomes for each statement execute function refuse_change();

create function check_break_action() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    -- An expired preview has changed nothing.
    if old.applied_at is not null or old.expires_at > now() - interval '1 hour' then
      raise exception 'action % is kept', old.id using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if (new.id, new.action, new.selection, new.created_by, new.created_at, new.expires_at, new.selected, new.qualifying, new.excluded)
      is distinct from
     (old.id, old.action, old.selection, old.created_by, old.created_at, old.expires_at, old.selected, old.qualifying, old.excluded)
      or old.applied_at is not null or new.applied_at is null then
    raise exception 'action % is applied once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  return new;
end $$;
create trigger applied before update or delete on break_actions for each row execute function check_break_action();

-- The row of the action is deleted first, so its breaks belong to no action. Anything else keeps its breaks.
create function check_rows_of_break_action() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if exists (select from break_actions where id in (select action_id from deleted_rows)) then
    raise exception 'the table break_action_rows is append-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger unused after delete on break_action_rows referencing old table as deleted_rows
  for each statement execute function check_rows_of_break_action();
