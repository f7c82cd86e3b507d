-- Which database the ledger lives in, and whether it may send. A copy that was put back, moved or promoted finds a
-- place in this row that is not its own, and freezes.
-- Breaks older code: no. But older code does not look at it: end it before a ledger is restored.

create table epoch (
  one               boolean primary key default true check (one),
  ledger_id         text not null,          -- the same in every copy
  number            integer not null,       -- raised by every freeze
  system_identifier text not null,          -- of the cluster
  timeline          text not null,          -- of its history: a new one after a promotion and a restore to a point in time
  database_oid      text not null,
  table_oid         text not null,          -- of this table: another one where a dump was read back
  frozen_at         timestamptz,            -- null: it may send
  reason            text
);
create trigger kept before delete or truncate on epoch for each statement execute function refuse_change();

-- When the gateway last gave a readable answer about the payout.
alter table payouts add column asked_at timestamptz;
