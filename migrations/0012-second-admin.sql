-- What one admin proposes and another one confirms: changes by which an admin alone could come to approve. The ledger
-- itself refuses a confirmation by whoever proposed it.
-- Breaks older code: no.

create table pending_changes (
  id          text primary key,
  change      jsonb not null,               -- what is to be done
  stands_on   text not null,                -- what it would replace, as it was when it was proposed
  proposed_by text not null references users,
  at          timestamptz not null,
  expires_at  timestamptz not null,
  outcome     text check (outcome in ('confirmed', 'withdrawn')),
  decided_by  text references users,
  decided_at  timestamptz,
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create index pending_changes_open on pending_changes (at) where outcome is null;
create trigger kept before delete or truncate on pending_changes for each statement execute function refuse_change();

create function may_administer(person text) returns boolean language sql stable as $$
  select exists (select from users where id = person and disabled_at is null and 'admin' = any (roles))
$$;

create function check_decision() returns trigger language plpgsql as $$
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
    if not (may_administer(new.decided_by) and may_administer(old.proposed_by)) then
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
create trigger decided before update on pending_changes for each row execute function check_decision();
