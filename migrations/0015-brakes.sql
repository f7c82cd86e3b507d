-- Which brake stopped a lane, where it is not told by how the lane opens.
-- Breaks older code: no. But older code does not look at the ceiling of money in doubt: end it before that is relied on.

alter table lanes add column brake text;    -- null: an answer of the gateway (src/payout/brakes.ts)

-- How many payouts of each lane must settle before the rest of the batch is sent; null: the default of the installation.
-- Breaks older code: yes, in one thing: it sends the rest without waiting. End older workers before the first canary.
alter table batches add column canary integer check (canary >= 0);

-- Laid when the batch is approved, for each lane that has more payouts than its canary.
create table canaries (
  batch_id    text not null,
  lane        text not null,
  payout_ids  bigint[] not null,
  last_line   integer not null,             -- what stands below it waits
  failed      text,                         -- why the batch was paused for it
  released_at timestamptz,
  released_by text,
  primary key (batch_id, lane)
);
create index canaries_waiting on canaries (batch_id) where released_at is null;

-- How many trials in a row must get through before a stopped lane opens.
alter table lanes add column probes smallint not null default 1;

-- What came of the last sends of a lane, one sign each, the newest at the end (src/payout/health.ts).
create table lane_health (
  lane       text primary key,
  outcomes   text not null,
  updated_at timestamptz not null default now()
);

-- Answers that payrun does not know, until a person has looked at them.
create table unread_answers (
  lane      text not null,
  answer    text not null,                  -- figures are masked
  times     integer not null,
  first_at  timestamptz not null default now(),
  looked_at timestamptz,
  primary key (lane, answer)
);
