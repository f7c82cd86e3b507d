-- Deposits: what payers are asked for through the gateway, and the append-only story of each.
-- Breaks older code: no.

create table deposits (
  id               bigint generated always as identity primary key,
  transaction_code text not null unique,    -- what is sent on every attempt, for life
  lane             text not null,           -- merchant and currency
  currency         text not null,
  amount_minor     numeric(38, 0) not null check (amount_minor > 0), -- what was asked for
  minor_digits     smallint not null,
  payable_minor    numeric(38, 0),          -- what the gateway tells the payer to pay; null: not told yet
  paid_minor       numeric(38, 0),          -- what the gateway reports paid; null: nothing proven
  state            text not null default 'requested',
  reason           text,
  step             smallint not null default 1, -- 2: the payer's account was handed in (KRW)
  due_at           timestamptz,             -- when the next thing is due; null: nothing any more
  lease_until      timestamptz,             -- of the attempt that is under way; null: none is
  seq              integer not null default 0,   -- number of transitions; every move compares it
  attempts         integer not null default 0,
  asks             integer not null default 0,   -- questions since the last change of state
  heard            text,                         -- what the last readable answers to them said: not_found, unclear
  heard_times      integer not null default 0,
  maybe_arrived    boolean not null default false, -- an attempt has ended without a conclusive answer
  gateway_number   text,
  expires_at       timestamptz,             -- null: the gateway told no time that can be read
  expires_text     text,                    -- as the gateway wrote it
  expires_zone     text,
  first_sent_at    timestamptz not null default now(),
  last_sent_at     timestamptz not null default now(),
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  created_by       text not null,
  payload_digest   bytea not null,          -- keyed; every field that is sent, but for the timestamp
  user_digest      bytea not null,          -- keyed; finds the deposits of one user
  reference_digest bytea,                   -- keyed; finds a deposit by its operator's reference
  request_digest   bytea unique,            -- keyed; of the Idempotency-Key: the same request is the same deposit, also after a crash
  link_digest      bytea not null unique,   -- of the token of its payment page
  sealed           bytea not null,          -- what is sent about user and payer, and the operator's reference
  told             bytea,                   -- sealed: where the payer pays to, the bank list
  depositor        bytea                    -- sealed: the account that the payer pays from
);
-- Every query for work is ordered by due_at: the few that are due, among all that have ended.
create index deposits_due on deposits (due_at) where due_at is not null;
create index deposits_by_state on deposits (state, id);
create index deposits_by_user on deposits (user_digest, id);
create index deposits_by_reference on deposits (reference_digest) where reference_digest is not null;

-- Committed before the first byte leaves.
create table deposit_attempts (
  deposit_id     bigint not null references deposits,
  number         integer not null,
  kind           text not null,             -- request, account (KRW, second step), reference (of the payer's bank)
  opened_at      timestamptz not null default now(),
  payload_digest bytea not null,
  key_id         text not null,
  worker         text not null,
  primary key (deposit_id, number)
);

create table deposit_evidence (
  id         bigint generated always as identity primary key,
  deposit_id bigint not null references deposits,
  attempt    integer,
  kind       text not null,                 -- answer, status, callback, lease
  at         timestamptz not null default now(),
  facts      jsonb not null                 -- redacted: no secret, no account number
);
create index deposit_evidence_of on deposit_evidence (deposit_id);

create table deposit_transitions (
  deposit_id bigint not null references deposits,
  seq        integer not null,
  event      text not null,
  from_state text not null,
  to_state   text not null,
  reason     text,
  actor      text not null,
  at         timestamptz not null default now(),
  primary key (deposit_id, seq)
);

create trigger append_only before update or delete or truncate on deposit_attempts    for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on deposit_evidence    for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on deposit_transitions for each statement execute function refuse_change();
create trigger kept before delete or truncate on deposits for each statement execute function refuse_change();
