-- Who has taken up what did not go its way, and until when its line is out of the way. It changes no payout and nothing that
-- money depends on: what is said about it stands on the audit log alone.
-- Breaks older code: no.

create table triage (
  object        text primary key,           -- as on the audit log: a transaction code, or "cause:" with state and reason
  state         text,                       -- of a cause
  reason        text,                       -- of a cause; null: none is on record
  payout_id     bigint unique,              -- of a payout
  assigned_to   text references users,
  snoozed_until timestamptz,
  snoozed_by    text,
  seen_at       timestamptz,                -- what changed later was not seen by whoever snoozed it, and ends that
  check ((payout_id is null) = (state is not null)),
  check ((snoozed_until is null) = (snoozed_by is null) and (snoozed_until is null) = (seen_at is null))
);
