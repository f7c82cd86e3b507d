-- Sorts payouts by amount: the same number as amount_minor, in units of its currency, so that it compares currencies
-- with different decimals. The index of minor units gives way to one of amounts, which also serves the filter.
-- Sorts batches by their number of rows. On a large ledger it takes minutes, and older processes wait meanwhile.
-- Breaks older code: no, but its filter by amount becomes slow.

alter table payout_details add column amount numeric not null default 0;  -- 0 only while older code stores the row

-- The details of a payout do not change. Only an amount of 0 is filled in, once.
drop trigger append_only on payout_details;
create trigger kept before truncate on payout_details for each statement execute function refuse_change();
create trigger append_only before update on payout_details for each row
  when (old.amount <> 0 or new.amount = 0) execute function refuse_change();

update payout_details d set amount = (p.amount_minor || 'e-' || p.minor_digits)::numeric
from payouts p
where p.id = d.payout_id;

-- Older code stores no amount. It stores a payout and its details in one statement, at whose end this reads both. The
-- application's role cannot change details, so it has the rights of the owner.
create function fill_amount() returns trigger language plpgsql security definer as $$
begin
  update payout_details d set amount = (p.amount_minor || 'e-' || p.minor_digits)::numeric
  from payouts p
  where p.id = d.payout_id and d.payout_id = new.payout_id;
  return null;
end $$;
revoke all on function fill_amount() from public;
-- As in migration 0051: a new function has no search path.
do $$ begin
  execute format('alter function fill_amount() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
create trigger fill_amount after insert on payout_details for each row
  when (new.amount = 0) execute function fill_amount();

drop index payout_details_amount;
create index payout_details_amount on payout_details (amount, payout_id);

create index batches_rows on batches (rows, id);
