-- A remainder is a batch that pays declined payouts of another one again, each under a new code.
-- Breaks older code: yes, it would send such a payout without a look at those that it follows.

create table remainders (
  batch_id  text primary key references batches,
  parent_id text not null references batches
);
create index remainders_of on remainders (parent_id);

create table descendants (
  payout_id bigint primary key,
  parent_id bigint not null,
  ancestors bigint[] not null,               -- the first one first, its parent last: all must be declined when it is sent
  live      boolean not null default true    -- false: cancelled, so nothing was sent
);
-- The row of a declined payout is paid again once at a time.
create unique index descendants_live on descendants (parent_id) where live;
create index descendants_of on descendants (parent_id);
