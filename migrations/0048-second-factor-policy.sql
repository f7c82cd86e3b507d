-- The roles that demand a second factor, and which approvals were given with one. The database checks it, so that a
-- statement past the flows cannot approve without the factor.
-- Breaks older code: no, but where a role demands the factor, older code cannot approve.

create table second_factor_roles (role text primary key);

-- A new installation demands it of the people who can let money go. An existing one turns it on itself.
insert into second_factor_roles (role)
  select role from unnest(array['approver', 'admin']) role where not exists (select from users);

-- How the latest step-up was proven; null: by a version of payrun that did not record it.
alter table sessions add column stepped_up_by text check (stepped_up_by in ('password', 'second_factor'));

alter table approvals add column session_id text references sessions;             -- null: not given at the dashboard
alter table approvals add column second_factor boolean not null default false;    -- set by check_approval

create function second_factor_demanded(person text) returns boolean language sql stable as $$
  select exists (select from users u join second_factor_roles r on r.role = any (u.roles) where u.id = person)
$$;

-- As before, and an approval without the factor does not count while a role of its giver demands one.
create or replace view live_approvals as
  select a.id, a.batch_id, a.user_id, a.content_digest, a.totals, a.at, a.expires_at, a.withdrawn_at, a.withdrawn_why
  from approvals a
  join batches b on b.id = a.batch_id and b.content_digest = a.content_digest and not stands_behind(a.user_id, b.maker)
  join users u on u.id = a.user_id and u.disabled_at is null and 'approver' = any (u.roles)
  where a.withdrawn_at is null and a.expires_at > now()
    and not exists (select from batch_editors e where e.batch_id = a.batch_id and stands_behind(a.user_id, e.actor))
    and (a.second_factor or not second_factor_demanded(a.user_id));

-- Runs after the trigger `checked`. The columns that it sets are never taken from the statement.
create function check_second_factor() returns trigger language plpgsql as $$
begin
  -- Waits for a transaction that removes the factor, and makes the next one wait for this approval.
  perform from users where id = new.user_id for share;
  new.second_factor := exists (
    select from sessions s join users u on u.id = s.user_id
    where s.id = new.session_id and s.user_id = new.user_id and s.ended_at is null and u.totp is not null
      and s.stepped_up_by = 'second_factor' and s.stepped_up_until > new.at);
  if not new.second_factor and second_factor_demanded(new.user_id) then
    raise exception '% approves without the second factor that their role demands', new.user_id
      using errcode = 'restrict_violation', constraint = 'approval_with_second_factor';
  end if;
  return new;
end $$;
create trigger checked_factor before insert on approvals for each row execute function check_second_factor();

create or replace function check_withdrawal() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or new.withdrawn_at is null
      or (new.id, new.batch_id, new.user_id, new.content_digest, new.totals, new.at, new.expires_at,
          new.session_id, new.second_factor)
        is distinct from (old.id, old.batch_id, old.user_id, old.content_digest, old.totals, old.at, old.expires_at,
          old.session_id, old.second_factor) then
    raise exception 'an approval is withdrawn, not changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
