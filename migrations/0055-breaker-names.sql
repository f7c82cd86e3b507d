-- New names: lanes.breaker (before: "brake") and its values, unknown_answers (unread_answers), payout_limits (money_limits),
-- the codes of the alarms, the event batch_awaiting_approval (batch_waits), and the states in saved filters of batches.
-- Notices are renamed with their alarms and events, so that no fact is reported a second time.
-- Lines of the audit log keep the words with which they were signed.
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

alter table lanes rename column brake to breaker;
update lanes set breaker = case breaker
    when 'doubt'      then 'in_doubt'
    when 'first_seen' then 'unknown_answer'
    when 'unended'    then 'no_final_state'
  end
where breaker in ('doubt', 'first_seen', 'unended');

alter table unread_answers rename to unknown_answers;
alter table unknown_answers rename constraint unread_answers_pkey to unknown_answers_pkey;

alter table money_limits rename to payout_limits;
alter table payout_limits rename constraint money_limits_pkey to payout_limits_pkey;
alter table pending_changes disable trigger decided;
update pending_changes set change = jsonb_set(change, '{kind}', '"payout_limits"') where change ->> 'kind' = 'money_limits';
alter table pending_changes enable trigger decided;

create function pg_temp.new_alarm(code text) returns text language sql as $$
  select case code
    when 'queue_away'       then 'queue_unavailable'
    when 'clock_apart'      then 'clocks_differ'
    when 'doubt_old'        then 'in_doubt_too_long'
    when 'taken_twice'      then 'possible_double_payment'
    when 'doubt_many'       then 'in_doubt_limit_reached'
    when 'nothing_ends'     then 'no_final_states'
    when 'accepted_silent'  then 'no_status_answers'
    when 'lane_waits'       then 'lane_not_recovering'
    when 'codes_known'      then 'codes_already_used'
    when 'answers_unmapped' then 'unreadable_answers'
    when 'held_waiting'     then 'payouts_on_hold'
    when 'deposits_doubt'   then 'deposits_in_doubt'
    when 'deposits_manual'  then 'deposits_on_hold'
    when 'jobs_old'         then 'jobs_waiting'
    when 'worker_gone'      then 'worker_not_reporting'
    else code
  end
$$;

update raised_alarms set code = pg_temp.new_alarm(code) where code <> pg_temp.new_alarm(code);
update notices set
  key    = event || ' ' || pg_temp.new_alarm(object) || substr(key, length(event) + length(object) + 2),
  object = pg_temp.new_alarm(object)
where event in ('alarm_raised', 'alarm_ended') and object <> pg_temp.new_alarm(object);

update channels set events = array_replace(events, 'batch_waits', 'batch_awaiting_approval');
update notices set
  key   = 'batch_awaiting_approval' || substr(key, length(event) + 1),
  event = 'batch_awaiting_approval'
where event = 'batch_waits';

update saved_views set filters = jsonb_set(filters, '{state}', case filters ->> 'state'
    when 'waits' then '"scheduled"'::jsonb
    else '"held_back"'::jsonb
  end)
where page = 'batches' and filters ->> 'state' in ('waits', 'stuck');
