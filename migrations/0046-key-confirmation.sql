-- An API key that may operate or reveal works only after an admin who did not make it has confirmed it. Keys that exist
-- already need no confirmation: each use of a key is limited to the current rights of its maker, old keys included.
-- Breaks older code: no, but older code does not wait for the confirmation.

alter table api_keys
  add column needs_confirmation boolean not null default false,
  add column confirmed_by text references users,
  add column confirmed_at timestamptz,
  add check ((confirmed_by is null) = (confirmed_at is null)),
  add check (confirmed_by is null or (needs_confirmation and confirmed_by <> created_by));

-- The rights of a key never change after it is made; only its use, its confirmation and its revocation are recorded.
create function check_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.needs_confirmation := new.scopes && array['operate', 'reveal'];
    if new.confirmed_by is not null then
      raise exception 'key % is made before it is confirmed', new.id
        using errcode = 'restrict_violation', constraint = 'key_confirmed_by_admin';
    end if;
    return new;
  end if;
  if (new.id, new.digest, new.scopes, new.created_by, new.created_at, new.needs_confirmation)
      is distinct from (old.id, old.digest, old.scopes, old.created_by, old.created_at, old.needs_confirmation)
    or new.expires_at > old.expires_at
    or (old.confirmed_by is not null and new.confirmed_by is distinct from old.confirmed_by)
    or (old.revoked_at is not null and new.revoked_at is null) then
    raise exception 'the rights of key % do not change', old.id
      using errcode = 'restrict_violation', constraint = 'key_is_kept';
  end if;
  if old.confirmed_by is null and new.confirmed_by is not null
      and (old.revoked_at is not null or not may_administer(new.confirmed_by)) then
    raise exception 'key % is confirmed by an admin', old.id
      using errcode = 'restrict_violation', constraint = 'key_confirmed_by_admin';
  end if;
  return new;
end $$;
create trigger checked before insert or update on api_keys for each row execute function check_key();

-- As before, except that the maker of a key who proposes it need not be an admin.
create or replace function check_decision() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.change, new.stands_on, new.proposed_by, new.at, new.expires_at)
        is distinct from (old.id, old.change, old.stands_on, old.proposed_by, old.at, old.expires_at) then
    raise exception 'change % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'change_decided_once';
  end if;
  if new.outcome = 'confirmed' then
    if new.decided_by = old.proposed_by then
      raise exception 'change % is confirmed by another admin', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_another';
    end if;
    if not may_administer(new.decided_by)
        or not (may_administer(old.proposed_by) or old.change ->> 'kind' = 'key') then
      raise exception 'change % takes two admins', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_admins';
    end if;
    if new.decided_at >= old.expires_at then
      raise exception 'change % has expired', old.id
        using errcode = 'restrict_violation', constraint = 'change_in_time';
    end if;
  end if;
  return new;
end $$;
