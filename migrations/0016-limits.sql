-- How much money may be approved: per payout, batch, day, beneficiary and uploader. And what was last heard of the
-- balance of each lane, so that what is approved can be held against what is there.
-- Breaks older code: no, but it approves without looking at limits.

create table money_limits (
  scope    text not null check (scope in ('row', 'batch', 'day', 'beneficiary_day', 'beneficiary_week', 'uploader_day')),
  currency text not null check (currency ~ '^[A-Z0-9]{3,10}$'),
  hard     boolean not null,                -- false: what passes it takes one more person
  amount   text not null check (amount ~ '^[0-9]{1,15}(\.[0-9]{1,8})?$'),
  primary key (scope, currency, hard)
);

-- People more than people_needed says, because a soft limit would be passed: written by whoever looked last.
alter table batches add column limit_people smallint not null default 0 check (limit_people in (0, 1));

-- Whoever brings some of it with a key of a program has brought all of it.
create function person_behind(actor text) returns text language sql stable as $$
  select coalesce((select 'user:' || created_by from api_keys where actor = 'key:' || id), actor)
$$;

create table lane_balances (
  lane         text primary key,
  asked_at     timestamptz not null,        -- the last question, answered or not
  told_at      timestamptz,                 -- when the question was asked that the amount answers
  amount_minor numeric(38, 0),
  minor_digits smallint,
  problem      text,                        -- why the last question has no answer that can be used
  check ((told_at is null) = (amount_minor is null) and (told_at is null) = (minor_digits is null))
);

-- Beside check_batch: the person more is kept by the database as well.
create function check_limit_people() returns trigger language plpgsql as $$
begin
  if new.state = 'approved' and old.state in ('needs_correction', 'awaiting_approval')
      and (select count(*) from live_approvals where batch_id = new.id and content_digest = new.content_digest)
        < new.people_needed - 1 + new.limit_people then
    raise exception 'batch % passes a limit and lacks an approval', new.id
      using errcode = 'restrict_violation', constraint = 'batch_has_its_approvals';
  end if;
  return new;
end $$;
create trigger limit_checked before update on batches for each row when (new.limit_people > 0)
  execute function check_limit_people();
