-- The fee that the gateway reports for each payout, and the time at which the payout settled, for totals by day.
-- Breaks older code: no, but it does not store fees. Stop older processes first.

alter table payouts
  add column fee_minor numeric(38, 0),      -- null: no readable fee was reported
  add column fee_digits smallint,           -- decimals of fee_minor: a fee may have more than the currency
  add column unreadable_fee text,           -- the last reported fee, as written, if it is not a decimal
  add column settled_at timestamptz,        -- null: never settled, or settled before this migration
  add constraint fee_with_digits check ((fee_minor is null) = (fee_digits is null));

-- A payout gets its only entry when it settles. The totals of a day read nothing but this index.
create index payouts_fees on payouts (settled_at) include (lane, currency, fee_minor, fee_digits)
  where settled_at is not null and fee_minor is not null;
