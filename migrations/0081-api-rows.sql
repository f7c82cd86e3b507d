-- Batches from rows of the API, and the Idempotency-Keys of single payouts.
-- Breaks older code: no.

-- Where the rows come from: a file, one API request with all rows, or one API request for each payout. Only a batch of
-- single payouts takes further rows, while it is a draft.
alter table batches add source text not null default 'file' check (source in ('file', 'rows', 'payouts'));

-- The key of a request is never used for another payout, even after the stored answer has expired.
create table single_payouts (
  owner    text not null,                   -- the sender of the request; of an API key, the first one that it replaces
  key      text not null,
  digest   text not null,                   -- SHA-256 of the row that the request contains
  batch_id text not null references batches,
  line     integer not null,                -- the payout's ID changes if a person edits the row; its line stays
  at       timestamptz not null default now(),
  primary key (owner, key)
);
create trigger append_only before update or delete or truncate on single_payouts for each statement execute function refuse_change();
