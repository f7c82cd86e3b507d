-- Rows as they were before a correction, for the approver, and the batches whose exact duplicates payrun
-- has looked for after they were sent for approval, so that their uploaders are notified once.
-- Breaks older code: no. But a correction by older code does not keep the row as it was.

create table corrected_rows (
  batch_id text not null references batches,
  line     integer not null,
  sealed   bytea not null,                    -- as in rejected_rows: its cells and problems
  at       timestamptz not null default now(),
  primary key (batch_id, line, at)
);
create trigger append_only before update or delete or truncate on corrected_rows for each statement execute function refuse_change();

create table duplicate_checks (
  batch_id       text not null references batches,
  content_digest text not null,
  at             timestamptz not null default now(),
  primary key (batch_id, content_digest)
);
