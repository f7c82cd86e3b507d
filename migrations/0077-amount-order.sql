-- Sorts payouts by amount, in units of their currencies: so it compares currencies with different decimals. The index of
-- minor units gives way to one of amounts, which also serves the filter. Sorts batches by their number of rows and their total.
-- Breaks older code: yes, it cannot store payouts, so its uploads fail. Stop older processes first.
-- It blocks all use of payout_details, and with it uploads and payments, until it ends: seconds for a million payouts with
-- two decimals, about a minute if all have others.

-- The value of amount_minor = 1. A constant default is not written to existing rows, so only the others are updated.
alter table payout_details add column minor_unit numeric not null default 0.01;
alter table payout_details disable trigger append_only;
update payout_details d set minor_unit = ('1e-' || p.minor_digits)::numeric
from payouts p
where p.id = d.payout_id and p.minor_digits <> 2;
alter table payout_details enable trigger append_only;
alter table payout_details alter column minor_unit drop default;

drop index payout_details_amount;
-- With the included columns, a search in the order of amounts reads the index alone.
create index payout_details_amount on payout_details ((amount_minor * minor_unit), payout_id) include (amount_minor, minor_unit);
-- Otherwise PostgreSQL cannot estimate amounts until autovacuum analyzes the table.
analyze payout_details;

create index batches_rows on batches (rows, id);

-- The total of each batch in the currency with the largest one.
create view batch_totals as
  select batch_id, max(total) as total
  from (
    select batch_id, sum((total_minor || 'e-' || minor_digits)::numeric) as total
    from batch_lanes
    group by batch_id, currency
  ) totals
  group by batch_id;
