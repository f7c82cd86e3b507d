-- New names of the remaining tables and columns with private or outdated words, as in the glossary:
--   `triage`                        assignments; its objects 'cause:…' are now 'failure_group:…'
--   lane_pace, with slow_aim        lane_rate_limits, with slow_target
--   audit_noticed                   audit_notified
--   deposits.told                   payment_details
--   payouts.repeated, check_at      resent, double_payment_check_at
--   pending_changes.stands_on       replaced_value
--   occurrences.look_at             next_check_at
--   unknown_answers.looked_at       acknowledged_at
--   raised_alarms.says              text (also in notices.facts)
--   batches.people_why              people_reason
--   approvals.withdrawn_why         withdrawn_reason (live_approvals likewise)
--   occurrences.why                 reason
--   lost_batches.acknowledged_why   acknowledged_reason
-- The audit log is not changed: its old lines keep their words.
-- Breaks older code: yes, it does not know the new names. Stop older processes first.

alter table triage rename to assignments;
alter table assignments rename constraint triage_pkey to assignments_pkey;
alter table assignments rename constraint triage_payout_id_key to assignments_payout_id_key;
alter table assignments rename constraint triage_assigned_to_fkey to assignments_assigned_to_fkey;
alter table assignments rename constraint triage_check to assignments_check;
alter table assignments rename constraint triage_check1 to assignments_check1;
update assignments set object = 'failure_group:' || substr(object, length('cause:') + 1) where object like 'cause:%';

alter table lane_pace rename to lane_rate_limits;
alter table lane_rate_limits rename column slow_aim to slow_target;
alter table lane_rate_limits rename constraint lane_pace_pkey to lane_rate_limits_pkey;
alter table lane_rate_limits rename constraint lane_pace_rate_check to lane_rate_limits_rate_check;
alter table lane_rate_limits rename constraint lane_pace_concurrency_check to lane_rate_limits_concurrency_check;
alter table lane_rate_limits rename constraint lane_pace_slow_aim_check to lane_rate_limits_slow_target_check;

alter table audit_noticed rename to audit_notified;
alter table audit_notified rename constraint audit_noticed_pkey to audit_notified_pkey;
alter table audit_notified rename constraint audit_noticed_one_check to audit_notified_one_check;

alter table deposits rename column told to payment_details;
alter table payouts rename column repeated to resent;
alter table payouts rename column check_at to double_payment_check_at;
alter table pending_changes rename column stands_on to replaced_value;
alter table occurrences rename column look_at to next_check_at;
alter table occurrences rename column why to reason;
alter table unknown_answers rename column looked_at to acknowledged_at;
alter table raised_alarms rename column says to text;
update notices set facts = facts - 'says' || jsonb_build_object('text', facts -> 'says') where facts ? 'says';
alter table batches rename column people_why to people_reason;
alter table approvals rename column withdrawn_why to withdrawn_reason;
alter view live_approvals rename column withdrawn_why to withdrawn_reason;
alter table lost_batches rename column acknowledged_why to acknowledged_reason;

alter index approvals_standing rename to approvals_not_withdrawn;

-- As before, with the new column.
create or replace function check_decision() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.change, new.replaced_value, new.proposed_by, new.at, new.expires_at, new.takes_effect_at)
        is distinct from
         (old.id, old.change, old.replaced_value, old.proposed_by, old.at, old.expires_at, old.takes_effect_at) then
    raise exception 'change % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'change_decided_once';
  end if;
  if new.outcome = 'confirmed' then
    if new.decided_by = old.proposed_by then
      raise exception 'change % is confirmed by another admin', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_another';
    end if;
    if not may_administer(new.decided_by)
        or not (may_administer(old.proposed_by) or old.change ->> 'kind' = 'key') then
      raise exception 'change % takes two admins', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_admins';
    end if;
  end if;
  if new.outcome = 'applied' then
    if old.takes_effect_at is null or new.decided_at < old.takes_effect_at then
      raise exception 'change % does not take effect yet', old.id
        using errcode = 'restrict_violation', constraint = 'change_is_due';
    end if;
    if not may_administer(old.proposed_by) or has_other_admin(old.proposed_by, 'infinity') then
      raise exception 'change % takes two admins', old.id
        using errcode = 'restrict_violation', constraint = 'change_by_admins';
    end if;
  end if;
  if new.outcome in ('confirmed', 'applied') and new.decided_at >= old.expires_at then
    raise exception 'change % has expired', old.id
      using errcode = 'restrict_violation', constraint = 'change_in_time';
  end if;
  return new;
end $$;

-- As before, with the terms of the glossary.
create or replace function keep_release() returns trigger language plpgsql as $$
begin
  if old.released_at is not null then
    raise exception 'batch % has already been released', old.batch_id
      using errcode = 'restrict_violation', constraint = 'batch_released_once';
  end if;
  return case tg_op when 'DELETE' then old else new end;
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
