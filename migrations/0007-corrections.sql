-- What the desk keeps of a file: what was found in it, how it was corrected, when it was handed in.
-- Breaks older code: no.

alter table batches
  add column name         text,
  add column purpose      text,
  add column expected     jsonb,            -- the control totals that its uploader typed
  add column submitted_at timestamptz,      -- null: its uploader is still at work on it, and nobody is asked to approve it
  add column submitted_by text,
  add column outcome      jsonb;            -- of a batch that has ended: its payouts per lane and state, counted once

-- One repair, one finding: the same problem in the same column.
create table batch_findings (
  batch_id    text not null references batches,
  number      integer not null,
  severity    text not null,
  code        text not null,
  column_name text not null,                -- '': of the row as a whole
  count       integer not null,
  primary key (batch_id, number)
);

-- Which rows a finding is about: every rejected row, and the first some thousand of the good ones.
create table row_findings (
  batch_id text not null,
  number   integer not null,
  line     integer not null,
  primary key (batch_id, number, line)
);

-- Good rows about which there is something to say: as they stood in the file, with their warnings.
create table warned_rows (
  batch_id text not null references batches,
  line     integer not null,
  sealed   bytea not null,
  primary key (batch_id, line)
);

-- Files with repaired rows of a batch. Who brought one has edited the batch.
create table corrections (
  digest    text primary key,               -- SHA-256 of the file's bytes: it is never a batch of its own as well
  batch_id  text not null references batches,
  file_name text not null,
  actor     text not null,
  rows      integer not null,
  repaired  integer not null,
  first_id  bigint not null,                -- the payouts that came of it have ids from here ...
  last_id   bigint not null,                -- ... to here, in the order of their lines; 0 and 0: none
  at        timestamptz not null default now()
);
create index corrections_of on corrections (batch_id, first_id);
create trigger append_only before update or delete or truncate on corrections for each statement execute function refuse_change();

-- What was answered to a request that creates something, so that the same request again is the same creation.
create table idempotency (
  person    text not null,
  key       text not null,
  operation text not null,
  digest    text not null,                  -- of the request
  status    integer,                        -- null: still running
  answer    bytea,                          -- sealed: an answer may hold a secret that is shown once
  at        timestamptz not null default now(),
  primary key (person, key)
);
create index idempotency_old on idempotency (at);
