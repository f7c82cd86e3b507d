-- New names of tables, columns and notification events: duplicates_allowed (before: repeats_allowed), batch_anomalies
-- (batch_unusual), lane_balances.reported_at (told_at). The events that a channel receives are renamed as well, and so
-- are the keys of notices, so that no fact is reported a second time. Lines of the audit log keep the words with which
-- they were signed.
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

alter table repeats_allowed rename to duplicates_allowed;
alter index repeats_allowed_batch rename to duplicates_allowed_batch;
alter table batch_unusual rename to batch_anomalies;
alter table lane_balances rename column told_at to reported_at;

create function pg_temp.new_event(event text) returns text language sql as $$
  select case event
    when 'batch_given_back' then 'batch_sent_back'
    when 'batch_kept_back'  then 'batch_held_back'
    when 'alarm_over'       then 'alarm_ended'
    when 'audit_head'       then 'audit_checkpoint'
    else event
  end
$$;

update channels set events = array(select pg_temp.new_event(event) from unnest(events) with ordinality e(event, place) order by place);
update notices set
  key   = pg_temp.new_event(event) || substr(key, length(event) + 1),
  event = pg_temp.new_event(event)
where event in ('batch_given_back', 'batch_kept_back', 'alarm_over', 'audit_head');
