-- What is told to people and programs outside the desk: channels, notices, and what became of each delivery.
-- Breaks older code: no.

create table channels (
  id         text primary key,
  name       text not null,
  kind       text not null check (kind in ('email', 'webhook')),
  target     text not null,                 -- an e-mail address or an https URL
  secret     bytea,                         -- sealed; what a webhook is signed with
  events     text[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  ended_at   timestamptz
);

-- Derived from the ledger, never written beside a move: what a crash kept from being derived is derived next time.
create table notices (
  id     text primary key,                  -- the same on every try: a receiver knows a repetition by it
  key    text not null unique,              -- one fact, one notice
  event  text not null,
  object text not null,                     -- a batch, an alarm
  facts  jsonb not null,                    -- no account number, no name of a beneficiary
  at     timestamptz not null default now()
);
create index notices_newest on notices (at);

create table deliveries (
  notice_id  text not null references notices,
  channel_id text not null references channels,
  state      text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  tries      integer not null default 0,
  due_at     timestamptz not null default now(),
  answer     text,                          -- what the receiver said to the last try
  updated_at timestamptz not null default now(),
  primary key (notice_id, channel_id)
);
create index deliveries_due on deliveries (due_at) where state = 'waiting';
create index deliveries_newest on deliveries (updated_at);

-- Alarms that are on, or were on lately: one that flickers is one.
create table raised_alarms (
  code      text primary key,
  says      text not null,
  raised_at timestamptz not null default now(),
  over_at   timestamptz
);
