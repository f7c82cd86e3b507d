-- The database itself keeps the lifecycle of deposits, as migration 0039 does for batches and payouts.
-- Breaks older code: no.

-- As src/deposit/lifecycle.ts has it: test/ledger/store/lifecycle-rules.test.ts compares both, so a new move takes a new migration.
create trigger lifecycle before update on deposits for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'requested in_doubt', 'requested awaiting_bank', 'requested awaiting_payment', 'requested declined',
    'requested manual',
    'in_doubt requested', 'in_doubt awaiting_bank', 'in_doubt awaiting_payment', 'in_doubt completed',
    'in_doubt expired', 'in_doubt declined', 'in_doubt manual',
    'awaiting_bank requested', 'awaiting_bank completed', 'awaiting_bank expired', 'awaiting_bank declined',
    'awaiting_bank manual',
    'awaiting_payment completed', 'awaiting_payment expired', 'awaiting_payment declined', 'awaiting_payment manual',
    'completed manual', 'expired completed', 'expired manual', 'declined manual',
    'manual completed', 'manual declined', 'manual closed', 'closed manual']))
  execute function refuse_move();

-- A deposit stays the one that was requested, and its attempts and doubts are never forgotten.
create or replace function refuse_edit() returns trigger language plpgsql as $$
begin
  raise exception '% %: the amount, the lane and the request are not edited', tg_table_name, old.id
    using errcode = 'restrict_violation', constraint = rtrim(tg_table_name, 's') || '_stays';
end $$;
create trigger stays before update on deposits for each row
  when (old.id <> new.id or old.transaction_code <> new.transaction_code or old.lane <> new.lane
    or old.currency <> new.currency or old.amount_minor <> new.amount_minor
    or old.minor_digits <> new.minor_digits or old.payload_digest <> new.payload_digest
    or old.created_by <> new.created_by or new.seq < old.seq or new.attempts < old.attempts
    or (old.maybe_arrived and not new.maybe_arrived))
  execute function refuse_edit();

create trigger born before insert on deposits for each row
  when (new.state <> 'requested' or new.paid_minor is not null) execute function refuse_birth();
