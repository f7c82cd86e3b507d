-- The database itself keeps the approval rule and the two lifecycles, so that a statement past the flows cannot pay.
-- Breaks older code: yes, in one thing: it records no approval of one person on the command line, and its batches are
-- not approved. End older processes first.

-- The approval of one person on the command line, where one person is enough.
create table sole_approvals (
  batch_id       text not null references batches,
  content_digest text not null,             -- of what was seen
  actor          text not null,
  at             timestamptz not null default now(),
  primary key (batch_id, content_digest)
);
create trigger kept before update or delete or truncate on sole_approvals for each statement execute function refuse_change();

create function check_sole_approval() returns trigger language plpgsql as $$
declare
  batch batches;
begin
  select * into batch from batches where id = new.batch_id for update;
  if batch.state <> 'awaiting_approval' then
    raise exception 'batch % is %, and takes no approval', batch.id, batch.state
      using errcode = 'restrict_violation', constraint = 'approval_of_waiting_batch';
  end if;
  if new.content_digest <> batch.content_digest then
    raise exception 'batch % is not what was seen', batch.id
      using errcode = 'restrict_violation', constraint = 'approval_of_what_is_there';
  end if;
  if batch.people_needed + batch.limit_people > 1 or new.actor like any (array['user:%', 'key:%']) then
    raise exception 'batch % is approved by more than one person', batch.id
      using errcode = 'restrict_violation', constraint = 'batch_has_its_approvals';
  end if;
  return new;
end $$;

-- Batches that were approved before: of those that were not approved at the dashboard the audit log has the approval.
insert into sole_approvals (batch_id, content_digest, actor, at)
  select distinct on (b.id) b.id, b.content_digest, a.actor, a.at::timestamptz
  from batches b join audit a on a.object = b.id and a.action = 'approve'
  where b.people_needed = 1 and b.approved_at is not null and a.actor not like all (array['user:%', 'key:%'])
  order by b.id, a.seq desc;

create trigger checked before insert on sole_approvals for each row execute function check_sole_approval();

-- Batches that as many people have approved, as they are now, as it takes. An approval may expire before it is used up,
-- and its giver may leave: what was approved in time stays approved.
create view approved_batches as
  select b.id from batches b
  where exists (select from sole_approvals s where s.batch_id = b.id and s.content_digest = b.content_digest
      and b.people_needed + b.limit_people = 1)
    or (select count(distinct a.user_id) from approvals a
        where a.batch_id = b.id and a.content_digest = b.content_digest and a.withdrawn_at is null
          and b.maker <> 'user:' || a.user_id
          and not exists (select from api_keys k where k.created_by = a.user_id and b.maker = 'key:' || k.id)
          and not exists (select from batch_editors e where e.batch_id = b.id
            and (e.actor = 'user:' || a.user_id
              or exists (select from api_keys k where k.created_by = a.user_id and e.actor = 'key:' || k.id)))
      ) >= greatest(b.people_needed - 1, 1) + b.limit_people;

-- As before, and now with the one person on the command line, and with the person more whom a limit asks for.
drop trigger limit_checked on batches;
drop function check_limit_people();
create or replace function check_batch() returns trigger language plpgsql as $$
declare
  given integer;
  needed integer;
begin
  if new.maker <> old.maker then
    raise exception 'the maker of a batch stays' using errcode = 'restrict_violation';
  end if;
  if new.people_needed < old.people_needed then
    raise exception 'the number of people that a batch needs only rises'
      using errcode = 'restrict_violation', constraint = 'people_needed_only_rises';
  end if;
  if old.state not in ('needs_correction', 'awaiting_approval')
      and (new.content_digest <> old.content_digest or new.limit_people < old.limit_people
        or (old.cancelling and not new.cancelling)) then
    raise exception 'an approved batch stays as it was approved'
      using errcode = 'restrict_violation', constraint = 'approved_batch_stays';
  end if;
  if new.state = 'approved' and old.state = 'awaiting_approval' then
    select count(*) into given from live_approvals
      where batch_id = new.id and content_digest = new.content_digest;
    needed := greatest(new.people_needed - 1, 1) + new.limit_people;
    if given < needed and not (new.people_needed + new.limit_people = 1 and exists (
        select from sole_approvals where batch_id = new.id and content_digest = new.content_digest)) then
      raise exception 'batch % has % of % approvals', new.id, given, needed
        using errcode = 'restrict_violation', constraint = 'batch_has_its_approvals';
    end if;
  end if;
  return new;
end $$;

-- The lifecycles, as src/batch/lifecycle.ts and src/payout/lifecycle.ts have them: test/ledger/store/lifecycle-rules.test.ts
-- compares them, so a new move takes a new migration. The condition of a trigger is evaluated without a call, which keeps
-- it cheap where a million payouts are approved.
create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception 'a % does not go from % to %', rtrim(tg_table_name, 'es'), old.state, new.state
    using errcode = 'restrict_violation', constraint = 'lifecycle';
end $$;
create trigger lifecycle before update on batches for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'needs_correction awaiting_approval', 'needs_correction cancelled',
    'awaiting_approval needs_correction', 'awaiting_approval approved', 'awaiting_approval cancelled',
    'approved paused', 'approved finished', 'approved cancelled', 'approved finished_with_exceptions',
    'paused approved', 'paused finished', 'paused cancelled', 'paused finished_with_exceptions',
    'finished finished_with_exceptions']))
  execute function refuse_move();
create trigger lifecycle before update on payouts for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'awaiting_approval approved', 'awaiting_approval cancelled', 'awaiting_approval held',
    'approved cancelled', 'approved submitting', 'approved accepted', 'approved held',
    'submitting approved', 'submitting in_doubt', 'submitting accepted', 'submitting declined', 'submitting held',
    'in_doubt submitting', 'in_doubt accepted', 'in_doubt declined', 'in_doubt settled', 'in_doubt held',
    'accepted declined', 'accepted settled', 'accepted held',
    'settled held', 'settled returned', 'declined held', 'held closed', 'closed held']))
  execute function refuse_move();

-- A payout that nobody has approved cannot be put into a batch that was approved, nor be another payment than it was.
create function refuse_edit() returns trigger language plpgsql as $$
begin
  raise exception '% %: what is paid, and in which batch, is not edited', tg_table_name, old.id
    using errcode = 'restrict_violation', constraint = 'payout_stays';
end $$;
create trigger stays before update on payouts for each row
  when (old.id <> new.id or old.batch_id <> new.batch_id or old.line <> new.line or old.lane <> new.lane
    or old.currency <> new.currency or old.amount_minor <> new.amount_minor
    or old.minor_digits <> new.minor_digits or old.payload_digest <> new.payload_digest or new.seq < old.seq
    or new.attempts < old.attempts or (old.maybe_arrived and not new.maybe_arrived))
  execute function refuse_edit();

create function refuse_birth() returns trigger language plpgsql as $$
begin
  raise exception 'nothing of % begins as %', tg_table_name, new.state
    using errcode = 'restrict_violation', constraint = 'lifecycle';
end $$;
create trigger born before insert on batches for each row
  when (new.state not in ('needs_correction', 'awaiting_approval') or new.limit_people <> 0)
  execute function refuse_birth();
create trigger born before insert on payouts for each row
  when (new.state <> 'awaiting_approval') execute function refuse_birth();
