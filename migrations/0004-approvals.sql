-- Who may let a batch go. What the screens and the flows say about makers and checkers is kept by the database itself:
-- an approval by somebody who may not give it cannot be stored, and a batch without its approvals cannot be approved.
-- Breaks older code: no, but what it takes in counts as taken in by nobody, and as needing one person.

alter table batches add column maker text not null default '';                       -- the actor who brought the file
alter table batches add column people_needed smallint not null default 1             -- to pay it, the maker included
  check (people_needed between 1 and 3);
alter table batches add column people_why text not null default '';                  -- the rule that says so

alter table batch_lanes add column largest_minor numeric(38, 0) not null default 0;   -- the largest payout of the lane

-- Who has changed a row of it since.
create table batch_editors (
  batch_id text not null references batches,
  actor    text not null,
  at       timestamptz not null default now(),
  primary key (batch_id, actor)
);

create table approval_rules (
  place    integer primary key,
  currency text,                            -- null: each currency by itself
  measure  text not null check (measure in ('row', 'total')),
  above    text not null check (above ~ '^[0-9]{1,15}(\.[0-9]{1,8})?$'),
  people   smallint not null check (people between 1 and 3)
);

create table approvals (
  id             bigint generated always as identity primary key,
  batch_id       text not null references batches,
  user_id        text not null references users,
  content_digest text not null,             -- of what was seen
  totals         jsonb not null,            -- per currency, as the approver typed them
  at             timestamptz not null default now(),
  expires_at     timestamptz not null,
  withdrawn_at   timestamptz,
  withdrawn_why  text,
  check ((withdrawn_at is null) = (withdrawn_why is null))
);
create unique index approvals_standing on approvals (batch_id, user_id) where withdrawn_at is null;
create trigger kept before delete or truncate on approvals for each statement execute function refuse_change();

-- Whether this person is the actor, or made the key that is.
create function stands_behind(person text, actor text) returns boolean language sql stable as $$
  select actor = 'user:' || person
    or exists (select from api_keys where created_by = person and actor = 'key:' || id)
$$;

-- What counts: for the content as it is now, not expired, by somebody who may still approve and never touched the batch.
create view live_approvals as
  select a.* from approvals a
  join batches b on b.id = a.batch_id and b.content_digest = a.content_digest and not stands_behind(a.user_id, b.maker)
  join users u on u.id = a.user_id and u.disabled_at is null and 'approver' = any (u.roles)
  where a.withdrawn_at is null and a.expires_at > now()
    and not exists (select from batch_editors e where e.batch_id = a.batch_id and stands_behind(a.user_id, e.actor));

create function check_approval() returns trigger language plpgsql as $$
declare
  batch batches;
begin
  -- Whoever changes the batch meanwhile waits, or has been waited for.
  select * into batch from batches where id = new.batch_id for update;
  if batch.state <> 'awaiting_approval' then
    raise exception 'batch % is %, and takes no approval', batch.id, batch.state
      using errcode = 'restrict_violation', constraint = 'approval_of_waiting_batch';
  end if;
  -- Who brought it on the command line has no desk to hand it in from.
  if batch.submitted_at is null and batch.maker like any (array['user:%', 'key:%']) then
    raise exception 'batch % was not submitted', batch.id
      using errcode = 'restrict_violation', constraint = 'approval_of_waiting_batch';
  end if;
  if new.content_digest <> batch.content_digest then
    raise exception 'batch % is not what was seen', batch.id
      using errcode = 'restrict_violation', constraint = 'approval_of_what_is_there';
  end if;
  if stands_behind(new.user_id, batch.maker)
      or exists (select from batch_editors where batch_id = batch.id and stands_behind(new.user_id, actor)) then
    raise exception '% has made or edited batch %', new.user_id, batch.id
      using errcode = 'restrict_violation', constraint = 'approval_by_another';
  end if;
  if not exists (select from users where id = new.user_id and disabled_at is null and 'approver' = any (roles)) then
    raise exception '% is no approver', new.user_id
      using errcode = 'restrict_violation', constraint = 'approval_by_approver';
  end if;
  return new;
end $$;
create trigger checked before insert on approvals for each row execute function check_approval();

-- An approval is never changed, only withdrawn.
create function check_withdrawal() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or new.withdrawn_at is null
      or (new.id, new.batch_id, new.user_id, new.content_digest, new.totals, new.at, new.expires_at)
        is distinct from (old.id, old.batch_id, old.user_id, old.content_digest, old.totals, old.at, old.expires_at) then
    raise exception 'an approval is withdrawn, not changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger withdrawn before update on approvals for each row execute function check_withdrawal();

create function check_batch() returns trigger language plpgsql as $$
declare
  given integer;
begin
  if new.maker <> old.maker then
    raise exception 'the maker of a batch stays' using errcode = 'restrict_violation';
  end if;
  if new.people_needed < old.people_needed and new.content_digest = old.content_digest then
    raise exception 'what a batch needs is not lowered' using errcode = 'restrict_violation';
  end if;
  if new.state = 'approved' and old.state in ('needs_correction', 'awaiting_approval') then
    select count(*) into given from live_approvals
      where batch_id = new.id and content_digest = new.content_digest;
    if given < new.people_needed - 1 then
      raise exception 'batch % has % of % approvals', new.id, given, new.people_needed - 1
        using errcode = 'restrict_violation', constraint = 'batch_has_its_approvals';
    end if;
  end if;
  return new;
end $$;
create trigger checked before update on batches for each row execute function check_batch();
