-- The digest of the breaks that an action on several breaks would change. Reading an action no longer reads all its breaks.
-- Breaks older code: no. Older code stores none, so the digest of such an action is computed when it is read.

alter table break_actions add column digest text; -- null: stored by an earlier payrun

create or replace function check_break_action() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    -- An expired preview has changed nothing.
    if old.applied_at is not null or old.expires_at > now() - interval '1 hour' then
      raise exception 'action % is kept', old.id using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if (new.id, new.action, new.selection, new.created_by, new.created_at, new.expires_at, new.selected, new.qualifying, new.excluded, new.digest)
      is distinct from
     (old.id, old.action, old.selection, old.created_by, old.created_at, old.expires_at, old.selected, old.qualifying, old.excluded, old.digest)
      or old.applied_at is not null or new.applied_at is null then
    raise exception 'action % is applied once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  return new;
end $$;
