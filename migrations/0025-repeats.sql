-- A payment that repeats another one exactly is not approved until somebody has said why it is right.
-- Breaks older code: no, but it approves without looking.

create table repeats_allowed (
  id             bigint generated always as identity primary key,
  batch_id       text not null references batches,
  content_digest text not null,             -- of what was seen
  repeats        text[] not null,           -- the batches that it repeats, as far as they were known then
  actor          text not null,
  reason         text not null,
  at             timestamptz not null default now()
);
create index repeats_allowed_batch on repeats_allowed (batch_id);
create trigger kept before update or delete or truncate on repeats_allowed for each statement execute function refuse_change();
