-- Batches that go out at a time, and schedules that make batches.
-- Breaks older code: yes, in one thing: it does not know of sendings and sends a batch as soon as it is approved. End
-- older workers before the first batch gets a time.

-- The time at which a batch may go out. Nothing of it is claimed before it was let go; without a line here a batch goes
-- out when it is approved.
create table sendings (
  batch_id      text primary key references batches,
  send_at       timestamptz not null,
  local         text not null,              -- what the clocks of the zone show then, as people wrote it
  zone          text not null,
  expires_hours integer not null check (expires_hours between 1 and 720),  -- after that the approval is too old to send on
  set_by        text not null,
  set_at        timestamptz not null default now(),
  released_at   timestamptz check (released_at >= send_at),
  stuck         text                        -- why it did not go out when its time came; a person decides
);
create index sendings_waiting on sendings (send_at) where released_at is null and stuck is null;
create function keep_release() returns trigger language plpgsql as $$
begin
  if old.released_at is not null then
    raise exception 'batch % was let go already', old.batch_id
      using errcode = 'restrict_violation', constraint = 'sending_released_once';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger kept before update or delete on sendings for each row execute function keep_release();

create table schedules (
  id            text primary key,
  name          text not null,
  calendar      jsonb not null,             -- src/schedule/calendar.ts
  source        jsonb not null,             -- where the rows of each batch come from
  lead_hours    integer not null check (lead_hours between 0 and 720),     -- the batch is made this long before its time
  grace_hours   integer not null check (grace_hours between 1 and 720),    -- made later than this after it, a person must say so
  expires_hours integer not null check (expires_hours between 1 and 720),
  state         text not null default 'active' check (state in ('active', 'paused', 'removed')),
  is_over       boolean not null default false,  -- nothing is to come
  maker         text not null,              -- who brings its batches, as far as approval is concerned
  reason        text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);

-- One line for each time at which a schedule is due: the next one, and all that were.
create table occurrences (
  schedule_id text not null references schedules,
  day         text not null,                -- as the rule names it, before it is moved to a working day
  local       text not null,
  send_at     timestamptz not null,
  make_at     timestamptz not null,
  state       text not null default 'planned' check (state in ('planned', 'due', 'made', 'missed', 'failed', 'skipped')),
  fired_at    timestamptz,
  by_hand     boolean not null default false,  -- a person said so, after it was missed
  batch_id    text references batches,
  why         text,
  updated_at  timestamptz not null default now(),
  primary key (schedule_id, day),
  unique (schedule_id, local),
  check ((state = 'made') = (batch_id is not null))
);
create index occurrences_planned on occurrences (make_at) where state = 'planned';
create unique index occurrences_next on occurrences (schedule_id) where state = 'planned';
create index occurrences_due on occurrences (make_at) where state = 'due';
create index occurrences_batch on occurrences (batch_id) where batch_id is not null;
