-- A restored ledger does not know every file that it has paid. A batch that arrives while the ledger is frozen, or that
-- holds payouts which a restore memory knows and the ledger does not, is in quarantine until a person releases it.
-- Breaks older code: no, but it cannot approve a batch in quarantine.

-- The content of the batch that a restore memory outside the ledger holds on disk.
alter table batches add column remembered_digest text;

-- Batches that a restore memory knows and this ledger does not, or knows with fewer payouts.
create table lost_batches (
  batch_id          text primary key,
  files             text[] not null,        -- keyed digests
  file_name         text not null,
  taken_in_at       timestamptz not null,
  rows              integer not null,
  totals            jsonb not null,         -- per currency, as decimal text
  host              text not null,          -- whose memory knows it
  found_at          timestamptz not null default now(),
  acknowledged_at   timestamptz,
  acknowledged_by   text,
  acknowledged_why  text,
  check ((acknowledged_at is null) = (acknowledged_by is null and acknowledged_why is null))
);
create trigger kept before delete or truncate on lost_batches for each statement execute function refuse_change();

create table quarantine (
  batch_id   text not null references batches,
  cause      text not null check (cause in ('frozen', 'lost_file', 'lost_payouts')),
  lost_batch text not null default '',      -- in lost_batches; empty: the ledger was frozen when the batch arrived
  rows       integer not null,              -- how many payouts of the batch it concerns
  at         timestamptz not null default now(),
  decision   text check (decision in ('kept', 'released')),
  decided_at timestamptz,
  decided_by text,
  reason     text,
  primary key (batch_id, cause, lost_batch),
  check ((decision is null) = (decided_at is null and decided_by is null and reason is null))
);
create trigger kept before delete or truncate on quarantine for each statement execute function refuse_change();

create function is_quarantined(batch text) returns boolean language sql stable as $$
  select exists (select from quarantine where batch_id = batch and decision is distinct from 'released')
$$;

create function check_released() returns trigger language plpgsql as $$
begin
  if old.decision = 'released' or new.decision is null
      or (new.batch_id, new.cause, new.lost_batch) is distinct from (old.batch_id, old.cause, old.lost_batch) then
    raise exception 'a decision about the quarantine of batch % stays', old.batch_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger decided before update on quarantine for each row execute function check_released();

create function refuse_quarantined() returns trigger language plpgsql as $$
begin
  if is_quarantined(case tg_table_name when 'batches' then to_jsonb(new)->>'id' else to_jsonb(new)->>'batch_id' end) then
    raise exception 'the batch is in quarantine'
      using errcode = 'restrict_violation', constraint = 'approval_of_released_batch';
  end if;
  return new;
end $$;
create trigger released before update of state on batches for each row
  when (new.state = 'approved' and old.state in ('needs_correction', 'awaiting_approval')) execute function refuse_quarantined();
create trigger released before insert on approvals for each row execute function refuse_quarantined();
