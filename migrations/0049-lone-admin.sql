-- A change that takes a second admin and is proposed by the only admin takes effect 24 hours later. It is made at once only
-- while the installation is being set up, which ends for good when two people who approve or administer have joined.
-- Breaks older code: yes, older code makes such a change at once.

alter table pending_changes
  add column takes_effect_at timestamptz,   -- proposed by the only admin; null: another admin confirms it
  drop constraint pending_changes_outcome_check,
  drop constraint pending_changes_check,
  add check (outcome in ('confirmed', 'withdrawn', 'applied', 'void')),
  add check ((outcome is null) = (decided_at is null)),
  -- Nobody decides on a change that takes effect by itself, or that can no longer be made.
  add check ((decided_by is null) = (outcome is null or outcome in ('applied', 'void'))),
  add check (takes_effect_at >= at + interval '24 hours' and takes_effect_at < expires_at);

-- One row once the installation is set up. It is never deleted, so that nobody can return to the setup.
create table setup_ended (
  one boolean primary key default true check (one),
  at  timestamptz not null default now()
);
create trigger kept before update or delete or truncate on setup_ended for each statement execute function refuse_change();

create function end_setup() returns trigger language plpgsql as $$
begin
  if new.password is not null and new.roles && array['approver', 'admin']
      and (select count(*) from users where password is not null and roles && array['approver', 'admin']) >= 2 then
    insert into setup_ended default values on conflict do nothing;
  end if;
  return null;
end $$;
create trigger ends_setup after insert or update of password, roles on users for each row execute function end_setup();
insert into setup_ended
  select true where (select count(*) from users where password is not null and roles && array['approver', 'admin']) >= 2;

-- Whether an admin besides this person can sign in, or could until `since`.
create function has_other_admin(person text, since timestamptz) returns boolean language sql stable as $$
  select exists (select from users where id <> person and 'admin' = any (roles) and password is not null
    and (disabled_at is null or disabled_at > since))
$$;

create function check_proposal() returns trigger language plpgsql as $$
begin
  if new.outcome is not null
      or (new.takes_effect_at is not null and has_other_admin(new.proposed_by, new.at - interval '24 hours')) then
    raise exception 'change % takes effect by itself only if its proposer is the only admin', new.id
      using errcode = 'restrict_violation', constraint = 'change_by_admins';
  end if;
  return new;
end $$;
create trigger proposed before insert on pending_changes for each row execute function check_proposal();

-- As before, and with the changes of the only admin.
create or replace function check_decision() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.change, new.stands_on, new.proposed_by, new.at, new.expires_at, new.takes_effect_at) is distinct from
        (old.id, old.change, old.stands_on, old.proposed_by, old.at, old.expires_at, old.takes_effect_at) then
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
  end if;
  if new.outcome = 'applied' then
    if old.takes_effect_at is null or new.decided_at < old.takes_effect_at then
      raise exception 'change % does not take effect yet', old.id
        using errcode = 'restrict_violation', constraint = 'change_is_due';
    end if;
    if not may_administer(old.proposed_by) or has_other_admin(old.proposed_by, 'infinity') then
      raise exception 'change % takes two admins', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_admins';
    end if;
  end if;
  if new.outcome in ('confirmed', 'applied') and new.decided_at >= old.expires_at then
    raise exception 'change % has expired', old.id
      using errcode = 'restrict_violation', constraint = 'change_in_time';
  end if;
  return new;
end $$;
