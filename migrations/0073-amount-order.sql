-- Sorts payouts by amount: the same number as amount_minor, in units of its currency, so that it compares currencies
-- with different decimals. The index of minor units gives way to one of amounts, which also serves the filter.
-- Sorts batches by their number of rows.
-- Breaks older code: yes, it cannot store payouts. Stop older processes first.

alter table payout_details add column amount numeric;
alter table payout_details disable trigger append_only;
update payout_details d set amount = (p.amount_minor || 'e-' || p.minor_digits)::numeric from payouts p where p.id = d.payout_id;
alter table payout_details enable trigger append_only;
alter table payout_details alter column amount set not null;
drop index payout_details_amount;
create index payout_details_amount on payout_details (amount, payout_id);

create index batches_rows on batches (rows, id);
