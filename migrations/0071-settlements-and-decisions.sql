-- Finds the payouts that were settled within a period; a payout settles at most once. Keeps decisions that a person makes
-- after a restore about occurrences that are not due yet.
-- Breaks older code: no, but it does not apply the decisions: it asks about each occurrence when it is due.

create index transitions_settled on transitions (at, payout_id) where to_state = 'settled';

-- A decision applies only to the time that the person saw, and until the ledger is frozen again.
create table occurrence_decisions (
  schedule_id text not null references schedules,
  day         text not null,                -- as in occurrences
  local       text not null,
  zone        text not null,
  decision    text not null check (decision in ('create', 'skip')),
  reason      text not null,
  decided_at  timestamptz not null default now(),
  primary key (schedule_id, day)
);
