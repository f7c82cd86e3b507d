-- The time of settlement is in one place, payouts.settled_at, with one index for fees and filters. Payouts that settled before
-- migration 0072 get theirs. Writes to payouts wait until this ends, which may take minutes in a large ledger: the index needs
-- this lock, and a lock taken after the update could deadlock with a worker.
-- Breaks older code: no, but its filter by settlement time becomes slow.

lock table payouts in share row exclusive mode;

update payouts
set settled_at = settlements.at
from transitions settlements
where settlements.payout_id = payouts.id
  and settlements.to_state = 'settled'
  and payouts.settled_at is null;

-- A payout gets its only entry when it settles. It serves the totals of a day and the filter by settlement time.
create index payouts_settled on payouts (settled_at, id) include (lane, currency, fee_minor, fee_digits)
  where settled_at is not null;
drop index payouts_fees;
drop index transitions_settled;
