-- A display name for each merchant account, throughput samples for each lane, and the number of jobs that ended
-- in each queue.
-- Samples of older versions, and counts that belong to no lane (callbacks), have the lane ''.
-- Breaks older code: yes, it adds samples by their time only. Stop older processes first.

create table merchant_accounts (
  merchant_code text primary key,
  name          text not null check (name <> ''),
  set_by        text not null,
  set_at        timestamptz not null default now()
);

create table queue_samples (
  at       timestamptz not null,             -- the minute
  queue    text not null,
  finished bigint not null,
  failed   bigint not null,
  primary key (at, queue)
);

alter table throughput_samples add column lane text not null default '';
alter table throughput_samples drop constraint throughput_samples_pkey;
alter table throughput_samples add primary key (at, lane);
