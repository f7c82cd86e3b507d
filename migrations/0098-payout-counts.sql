-- Number and sums of the payouts of each batch by state, kept by triggers in the transaction that changes a payout, so that pages
-- need not count the rows of a large batch.
-- Breaks older code: no. Writes to payouts wait until this ends, which takes a few seconds for each million payouts.

create table payout_counts (
  batch_id     text not null,
  lane         text not null,
  currency     text not null,
  minor_digits smallint not null,
  state        text not null,
  fee_digits   smallint not null,           -- decimals of fee_minor; -1: no readable fee, or not settled
  writer       integer not null,            -- each connection writes rows of its own and waits for no other; 0: merged
  payouts      bigint not null,             -- one row may be negative: the sum over all writers counts
  amount_minor numeric(38, 0) not null,
  fee_minor    numeric(38, 0) not null,
  primary key (batch_id, lane, currency, minor_digits, state, fee_digits, writer)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

lock table payouts in share row exclusive mode;

insert into payout_counts
select batch_id, lane, currency, minor_digits, state, coalesce(case when settled_at is not null then fee_digits end, -1), 0,
  count(*), sum(amount_minor), coalesce(sum(case when settled_at is not null then fee_minor end), 0)
from payouts
group by 1, 2, 3, 4, 5, 6;

-- They write with the rights of the owner, so that no other statement can change a count.
create function count_payouts_added() returns trigger language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
begin
  insert into payrun.payout_counts as c
  select batch_id, lane, currency, minor_digits, state, coalesce(case when settled_at is not null then fee_digits end, -1),
    pg_backend_pid(), count(*), sum(amount_minor), coalesce(sum(case when settled_at is not null then fee_minor end), 0)
  from added
  group by 1, 2, 3, 4, 5, 6
  on conflict (batch_id, lane, currency, minor_digits, state, fee_digits, writer) do update
  set payouts = c.payouts + excluded.payouts, amount_minor = c.amount_minor + excluded.amount_minor,
    fee_minor = c.fee_minor + excluded.fee_minor;
  return null;
end $$;

create function count_payouts_removed() returns trigger language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
begin
  insert into payrun.payout_counts as c
  select batch_id, lane, currency, minor_digits, state, coalesce(case when settled_at is not null then fee_digits end, -1),
    pg_backend_pid(), -count(*), -sum(amount_minor), -coalesce(sum(case when settled_at is not null then fee_minor end), 0)
  from removed
  group by 1, 2, 3, 4, 5, 6
  on conflict (batch_id, lane, currency, minor_digits, state, fee_digits, writer) do update
  set payouts = c.payouts + excluded.payouts, amount_minor = c.amount_minor + excluded.amount_minor,
    fee_minor = c.fee_minor + excluded.fee_minor;
  return null;
end $$;

create function count_payouts_changed() returns trigger language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
begin
  insert into payrun.payout_counts as c
  select batch_id, lane, currency, minor_digits, state, coalesce(case when settled_at is not null then fee_digits end, -1),
    pg_backend_pid(), sum(n), sum(n * amount_minor), coalesce(sum(n * case when settled_at is not null then fee_minor end), 0)
  from (
    select 1 as n, batch_id, lane, currency, minor_digits, state, settled_at, fee_digits, amount_minor, fee_minor from added
    union all
    select -1, batch_id, lane, currency, minor_digits, state, settled_at, fee_digits, amount_minor, fee_minor from removed
  ) changed
  group by 1, 2, 3, 4, 5, 6
  having sum(n) <> 0 or sum(n * amount_minor) <> 0 or coalesce(sum(n * case when settled_at is not null then fee_minor end), 0) <> 0
  on conflict (batch_id, lane, currency, minor_digits, state, fee_digits, writer) do update
  set payouts = c.payouts + excluded.payouts, amount_minor = c.amount_minor + excluded.amount_minor,
    fee_minor = c.fee_minor + excluded.fee_minor;
  return null;
end $$;

create trigger counted_added after insert on payouts referencing new table as added
  for each statement execute function count_payouts_added();
create trigger counted_removed after delete on payouts referencing old table as removed
  for each statement execute function count_payouts_removed();
create trigger counted_changed after update on payouts referencing old table as removed new table as added
  for each statement execute function count_payouts_changed();
-- Also while session_replication_role switches off the other triggers.
alter table payouts enable always trigger counted_added;
alter table payouts enable always trigger counted_removed;
alter table payouts enable always trigger counted_changed;

-- Merges the rows of the connections into one row for each state. It leaves rows that a transaction is changing, so that it never
-- waits: the sum over all rows is right in any case.
create function merge_payout_counts(batch text) returns void language sql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
  with merged as (
    delete from payrun.payout_counts
    where ctid = any(array(select ctid from payrun.payout_counts where batch_id = batch and writer <> 0 for update skip locked))
    returning *
  )
  insert into payrun.payout_counts as c
  select batch_id, lane, currency, minor_digits, state, fee_digits, 0, sum(payouts), sum(amount_minor), sum(fee_minor)
  from merged
  group by 1, 2, 3, 4, 5, 6
  having sum(payouts) <> 0 or sum(amount_minor) <> 0 or sum(fee_minor) <> 0
  on conflict (batch_id, lane, currency, minor_digits, state, fee_digits, writer) do update
  set payouts = c.payouts + excluded.payouts, amount_minor = c.amount_minor + excluded.amount_minor,
    fee_minor = c.fee_minor + excluded.fee_minor;
$$;
revoke all on function merge_payout_counts(text) from public;
revoke all on function count_payouts_added() from public;
revoke all on function count_payouts_removed() from public;
revoke all on function count_payouts_changed() from public;
