-- A settled payout can be returned, and goes on hold if the gateway then contradicts that. Returns count in the daily results.
-- Breaks older code: yes, it does not let a retry of a returned payout be sent, and may put it on hold. Stop older processes
-- first.

drop trigger lifecycle on payouts;
-- As in migration 0052, and from returned: test/ledger/store/lifecycle-rules.test.ts compares this list with the code.
create trigger lifecycle before update on payouts for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'awaiting_approval approved', 'awaiting_approval cancelled', 'awaiting_approval on_hold',
    'approved cancelled', 'approved submitting', 'approved accepted', 'approved on_hold',
    'submitting approved', 'submitting in_doubt', 'submitting accepted', 'submitting declined', 'submitting on_hold',
    'in_doubt submitting', 'in_doubt accepted', 'in_doubt declined', 'in_doubt settled', 'in_doubt on_hold',
    'accepted declined', 'accepted settled', 'accepted on_hold',
    'settled on_hold', 'settled returned', 'declined on_hold', 'returned on_hold', 'on_hold resolved', 'resolved on_hold']))
  execute function refuse_move();

-- The day of a return is the day on which payrun recorded it.
alter table daily_results drop constraint daily_results_state_check;
alter table daily_results
  add constraint daily_results_state_check check (state in ('settled', 'declined', 'returned'));

-- As in migration 0037, for retries of returned payouts too.
drop index transitions_out_of_declined;
create index transitions_out_of_retryable on transitions (payout_id) where from_state in ('declined', 'returned');

-- Channels that announce finished batches announce returns too.
update channels set events = events || '{batch_payouts_returned}'::text[]
  where 'batch_finished' = any (events) and not 'batch_payouts_returned' = any (events);

-- Notices about the returns of the last week.
create index payouts_returned on payouts (updated_at) where state = 'returned';
