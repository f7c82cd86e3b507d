-- What an approver is told of a large batch is found while it waits, and kept; names are compared by digest.
-- Breaks older code: yes, payouts that it takes in are compared with no name, and no name of theirs counts as mixed.

alter table payout_details
  -- Keyed digest of the whole name without case and accents; null: it has no letter.
  add column name_key bigint,
  add column mixed_scripts boolean not null default false;
create index payout_details_name on payout_details (name_key, payout_id) where name_key is not null;

-- Looking through a batch of 100,000 rows takes seconds: it is done once. No name or account is in it.
create table batch_unusual (
  batch_id       text primary key references batches,
  content_digest text not null,             -- of the batch as it was looked through
  limits         text not null,             -- of single payouts, as they were then
  flags          jsonb not null,
  at             timestamptz not null
);
