-- What people keep for their work at the desk. It changes no payout and nothing that money depends on.
-- Breaks older code: no.

-- Who has taken up what did not go its way, and until when its line is out of the way. What is said about it stands on the
-- audit log alone.
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

-- The filters that somebody comes back to, under a name of their own. A page and its filters, never an address.
create table saved_views (
  id      text primary key,
  user_id text not null references users,
  page    text not null,
  name    text not null,
  filters jsonb not null
);
create unique index saved_views_name on saved_views (user_id, page, lower(name));
