-- New names of states: payouts are `on_hold` (before: `held`), payouts and deposits are `resolved` (`closed`). With them
-- the events, and the reasons that contain an old name. The audit log is not changed: its old lines keep their words.
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

drop trigger lifecycle on payouts;
drop trigger lifecycle on deposits;
drop trigger closed on payouts;
drop trigger closed on deposits;
drop function check_payout_closed();
drop function check_deposit_closed();
drop index payouts_held;

create function pg_temp.new_state(name text) returns text immutable language sql as $$
  select case name when 'held' then 'on_hold' when 'closed' then 'resolved' else name end
$$;
create function pg_temp.new_event(name text) returns text immutable language sql as $$
  select case name when 'close' then 'resolve' when 'ask_bank' then 'request_account' when 'hand_in' then 'send_account'
    when 'give_back' then 'request_account_again' else name end
$$;
-- A reason is a code, or a code with a colon and a text.
create function pg_temp.new_payout_reason(reason text) returns text immutable language sql as $$
  select case split_part(reason, ':', 1)
    when 'not_asked' then 'not_queried' when 'closed_arrived' then 'resolved_arrived'
    when 'closed_not_arrived' then 'resolved_not_arrived' else split_part(reason, ':', 1)
    end || substr(reason, length(split_part(reason, ':', 1)) + 1)
$$;
create function pg_temp.new_deposit_reason(reason text) returns text immutable language sql as $$
  select case split_part(reason, ':', 1)
    when 'not_taken' then 'not_accepted' when 'told_late' then 'answered_late'
    when 'account_not_taken' then 'account_not_accepted' when 'closed_came_in' then 'resolved_received'
    when 'closed_nothing' then 'resolved_not_received' else split_part(reason, ':', 1)
    end || substr(reason, length(split_part(reason, ':', 1)) + 1)
$$;

update payouts set state = pg_temp.new_state(state), reason = pg_temp.new_payout_reason(reason)
  where state in ('held', 'closed') or reason is distinct from pg_temp.new_payout_reason(reason);
update deposits set state = pg_temp.new_state(state), reason = pg_temp.new_deposit_reason(reason)
  where state = 'closed' or reason is distinct from pg_temp.new_deposit_reason(reason);

-- No process can add or change a transition meanwhile: disabling the trigger locks the table.
alter table transitions disable trigger append_only;
update transitions set event = pg_temp.new_event(event), from_state = pg_temp.new_state(from_state),
    to_state = pg_temp.new_state(to_state), reason = pg_temp.new_payout_reason(reason)
  where event = 'close' or from_state in ('held', 'closed') or to_state in ('held', 'closed')
    or reason is distinct from pg_temp.new_payout_reason(reason);
alter table transitions enable trigger append_only;
alter table deposit_transitions disable trigger append_only;
update deposit_transitions set event = pg_temp.new_event(event), from_state = pg_temp.new_state(from_state),
    to_state = pg_temp.new_state(to_state), reason = pg_temp.new_deposit_reason(reason)
  where event in ('close', 'ask_bank', 'hand_in', 'give_back') or from_state = 'closed' or to_state = 'closed'
    or reason is distinct from pg_temp.new_deposit_reason(reason);
alter table deposit_transitions enable trigger append_only;

-- The failure groups and the filters that people saved.
update triage set state = pg_temp.new_state(state), reason = pg_temp.new_payout_reason(reason),
    object = 'cause:' || pg_temp.new_state(state) || ':' || coalesce(pg_temp.new_payout_reason(reason), '')
  where state is not null;
update saved_views set filters = jsonb_set(filters, '{state}', to_jsonb(
    regexp_replace(regexp_replace(filters ->> 'state', '\mheld\M', 'on_hold', 'g'), '\mclosed\M', 'resolved', 'g')))
  where page in ('payouts', 'failures') and filters ->> 'state' ~ '\m(held|closed)\M';
update saved_views set filters = jsonb_set(filters, '{reason}', to_jsonb(pg_temp.new_payout_reason(filters ->> 'reason')))
  where page = 'payouts' and filters ? 'reason';

drop function pg_temp.new_state(text), pg_temp.new_event(text), pg_temp.new_payout_reason(text),
  pg_temp.new_deposit_reason(text);

create index payouts_on_hold on payouts (updated_at) where state = 'on_hold';

-- As in migrations 0039 and 0045: test/ledger/store/lifecycle-rules.test.ts compares these lists with the code.
create trigger lifecycle before update on payouts for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'awaiting_approval approved', 'awaiting_approval cancelled', 'awaiting_approval on_hold',
    'approved cancelled', 'approved submitting', 'approved accepted', 'approved on_hold',
    'submitting approved', 'submitting in_doubt', 'submitting accepted', 'submitting declined', 'submitting on_hold',
    'in_doubt submitting', 'in_doubt accepted', 'in_doubt declined', 'in_doubt settled', 'in_doubt on_hold',
    'accepted declined', 'accepted settled', 'accepted on_hold',
    'settled on_hold', 'settled returned', 'declined on_hold', 'on_hold resolved', 'resolved on_hold']))
  execute function refuse_move();
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
    'manual completed', 'manual declined', 'manual resolved', 'resolved manual']))
  execute function refuse_move();

create function check_payout_resolved() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_closings where payout_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'payout % is resolved without a confirmed resolution', new.id
      using errcode = 'restrict_violation', constraint = 'payout_resolved_by_two';
  end if;
  return new;
end $$;
create trigger resolved before update on payouts for each row
  when (new.state = 'resolved' and old.state <> 'resolved') execute function check_payout_resolved();
create function check_deposit_resolved() returns trigger language plpgsql as $$
begin
  if not exists (select from deposit_closings where deposit_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'deposit % is resolved without a confirmed resolution', new.transaction_code
      using errcode = 'restrict_violation', constraint = 'deposit_resolved_by_two';
  end if;
  return new;
end $$;
create trigger resolved before update on deposits for each row
  when (new.state = 'resolved' and old.state <> 'resolved') execute function check_deposit_resolved();

-- As in migration 0051, for the new functions.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
