-- Codes that the gateway may have taken twice are looked at again after their end.
-- Breaks older code: no. But older code neither marks nor looks at them.

alter table payouts
  -- The code was sent again after an attempt that may have arrived.
  add column repeated boolean not null default false,
  -- When to look at it again, once it has ended; null: never.
  add column check_at timestamptz;

create index payouts_to_check on payouts (check_at) where check_at is not null;
