-- New names of tables and columns, so that those who query the ledger find the words of the dashboard and the API
-- (docs/glossary.md):
--   remainders                          retry_batches
--   pulse                               throughput_samples
--   sendings, with stuck                send_times, with held_back
--   lane_endings, with ended_at         lane_completions, with completed_at
--   batches.submitted_at, submitted_by  approval_requested_at, approval_requested_by
--   corrections.repaired                corrected
--   payouts.asks, asked_at              status_queries, queried_at (deposits and lane_balances likewise)
--   payouts.heard, heard_times, …       status_answer, status_answer_times, … (deposits likewise)
--   lanes.asked_until                   gateway_pause_until
--   raised_alarms.over_at               ended_at
--   duplicates_allowed.repeats          duplicates
--   batch_anomalies.near                possible_duplicates
--   schedules.is_over                   is_finished
--   occurrences.make_at                 create_at; its state 'made' is now 'created'
--   lost_batches.taken_in_at            uploaded_at
--   deliveries.tries                    attempts
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

alter table remainders rename to retry_batches;
alter index remainders_of rename to retry_batches_of;
alter table retry_batches rename constraint remainders_pkey to retry_batches_pkey;
alter table retry_batches rename constraint remainders_batch_id_fkey to retry_batches_batch_id_fkey;
alter table retry_batches rename constraint remainders_parent_id_fkey to retry_batches_parent_id_fkey;

alter table pulse rename to throughput_samples;
alter table throughput_samples rename constraint pulse_pkey to throughput_samples_pkey;

alter table payout_limits rename constraint money_limits_scope_check to payout_limits_scope_check;
alter table payout_limits rename constraint money_limits_currency_check to payout_limits_currency_check;
alter table payout_limits rename constraint money_limits_amount_check to payout_limits_amount_check;

alter table sendings rename to send_times;
alter table send_times rename column stuck to held_back;
alter index sendings_waiting rename to send_times_waiting;
alter table send_times rename constraint sendings_pkey to send_times_pkey;
alter table send_times rename constraint sendings_check to send_times_check;
alter table send_times rename constraint sendings_expires_hours_check to send_times_expires_hours_check;
alter table send_times rename constraint sendings_batch_id_fkey to send_times_batch_id_fkey;

alter table lane_endings rename to lane_completions;
alter table lane_completions rename column ended_at to completed_at;
alter table lane_completions rename constraint lane_endings_pkey to lane_completions_pkey;

alter table batches rename column submitted_at to approval_requested_at;
alter table batches rename column submitted_by to approval_requested_by;
alter table corrections rename column repaired to corrected;

alter table payouts rename column asks to status_queries;
alter table payouts rename column asked_at to queried_at;
alter table payouts rename column heard to status_answer;
alter table payouts rename column heard_times to status_answer_times;
alter table payouts rename column heard_since to status_answer_since;
alter table payouts rename column heard_at to status_answer_at;
alter index payouts_to_ask rename to payouts_to_query;
alter table deposits rename column asks to status_queries;
alter table deposits rename column heard to status_answer;
alter table deposits rename column heard_times to status_answer_times;
alter table lane_balances rename column asked_at to queried_at;

alter table lanes rename column asked_until to gateway_pause_until;
alter table raised_alarms rename column over_at to ended_at;
alter table deliveries rename column tries to attempts;
alter table lost_batches rename column taken_in_at to uploaded_at;

alter table duplicates_allowed rename column repeats to duplicates;
alter table duplicates_allowed rename constraint repeats_allowed_pkey to duplicates_allowed_pkey;
alter table duplicates_allowed rename constraint repeats_allowed_batch_id_fkey to duplicates_allowed_batch_id_fkey;
alter sequence repeats_allowed_id_seq rename to duplicates_allowed_id_seq;
alter table batch_anomalies rename column near to possible_duplicates;
alter table batch_anomalies rename constraint batch_unusual_pkey to batch_anomalies_pkey;
alter table batch_anomalies rename constraint batch_unusual_batch_id_fkey to batch_anomalies_batch_id_fkey;

alter table schedules rename column is_over to is_finished;
alter table occurrences rename column make_at to create_at;
alter table occurrences drop constraint occurrences_state_check, drop constraint occurrences_check;
update occurrences set state = 'created' where state = 'made';
alter table occurrences
  add constraint occurrences_state_check check (state in ('planned', 'due', 'created', 'missed', 'failed', 'skipped')),
  add constraint occurrences_check check ((state = 'created') = (batch_id is not null));

-- As before, with the new column.
create or replace function check_approval() returns trigger language plpgsql as $$
declare
  batch batches;
begin
  -- Waits for a concurrent change of the batch, and makes later ones wait.
  select * into batch from batches where id = new.batch_id for update;
  if batch.state <> 'awaiting_approval' then
    raise exception 'batch % is %, and takes no approval', batch.id, batch.state
      using errcode = 'restrict_violation', constraint = 'approval_of_waiting_batch';
  end if;
  -- A file of the command line is approved without being sent for approval.
  if batch.approval_requested_at is null and batch.maker like any (array['user:%', 'key:%']) then
    raise exception 'batch % was not sent for approval', batch.id
      using errcode = 'restrict_violation', constraint = 'approval_of_waiting_batch';
  end if;
  if new.content_digest <> batch.content_digest then
    raise exception 'batch % is not what was seen', batch.id
      using errcode = 'restrict_violation', constraint = 'approval_of_what_is_there';
  end if;
  if stands_behind(new.user_id, batch.maker)
      or exists (select from batch_editors where batch_id = batch.id and stands_behind(new.user_id, actor)) then
    raise exception '% has made or edited batch %', new.user_id, batch.id
      using errcode = 'restrict_violation', constraint = 'approval_by_another';
  end if;
  if not exists (select from users where id = new.user_id and disabled_at is null and 'approver' = any (roles)) then
    raise exception '% is no approver', new.user_id
      using errcode = 'restrict_violation', constraint = 'approval_by_approver';
  end if;
  return new;
end $$;

-- As in migration 0051: `create or replace` drops the search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
