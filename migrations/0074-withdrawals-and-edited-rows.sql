-- Batches can be withdrawn from approval: channels that announce batches awaiting approval announce this too. Valid
-- rows with warnings can be edited before the batch is sent for approval: their payouts are removed and created again.
-- And the stored anomalies of a batch count all flagged rows.
-- Breaks older code: no.

update channels set events = events || '{batch_withdrawn}'::text[]
  where 'batch_awaiting_approval' = any (events) and not 'batch_withdrawn' = any (events);

alter table batch_anomalies add column flagged_rows integer;

-- A payout is removed only while nobody can approve its batch, and only if it was never approved, sent or queried: the
-- gateway then cannot have its code. A frozen ledger queries the codes of all its payouts, so it removes none.
create function check_payout_removal() returns trigger language plpgsql as $$
begin
  if old.state <> 'awaiting_approval' or old.seq > 0 or old.attempts > 0 or old.maybe_arrived
      or old.status_queries > 0 or old.queried_at is not null or old.first_sent_at is not null
      or old.gateway_number is not null
      or exists (select from transitions where payout_id = old.id)
      or exists (select from attempts where payout_id = old.id)
      or exists (select from evidence where payout_id = old.id)
      or exists (select from descendants where payout_id = old.id)
      or exists (select from epoch where frozen_at is not null)
      or not exists (select from batches where id = old.batch_id and state in ('needs_correction', 'draft')) then
    raise exception 'the table payouts is append-only: payout % cannot be removed', old.id
      using errcode = 'restrict_violation', constraint = 'payout_stays';
  end if;
  return old;
end $$;
drop trigger kept on payouts;
create trigger kept before truncate on payouts for each statement execute function refuse_change();
create trigger kept_row before delete on payouts for each row execute function check_payout_removal();

-- The details of a payout stay as long as the payout itself.
create function check_details_removal() returns trigger language plpgsql as $$
begin
  if exists (select from payouts where id = old.payout_id) then
    raise exception 'the table payout_details is append-only' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
drop trigger append_only on payout_details;
create trigger append_only before update or truncate on payout_details for each statement execute function refuse_change();
create trigger kept_row before delete on payout_details for each row execute function check_details_removal();

-- The application's role cannot delete payouts. This function does it with the rights of the owner, under the triggers
-- above. It returns the codes of the removed payouts, so that the same rows get them again.
create function remove_payouts(ids bigint[]) returns table (removed_id bigint, code text)
language plpgsql security definer as $$
begin
  delete from payouts where id = any(ids);
  return query delete from payout_details d where d.payout_id = any(ids) returning d.payout_id, d.transaction_code;
end $$;
revoke all on function remove_payouts(bigint[]) from public;

-- As in migration 0051: a new function has no search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
